import { Closed } from '../dialog/stage.ts'
import type { Run } from '../dialog/surface.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { KitError } from '../errors/kit-error.ts'

/** A closed dialog reports success, or the exit error of what the person came for. */
const exits: Record<Run['intent'], readonly [code: ErrorCode, message: string]> = {
  login: ['exited_auth_flow', 'The person closed the dialog'],
  link: ['exited_link_flow', 'The person closed the dialog'],
  unlink: ['exited_link_flow', 'The person closed the dialog'],
  update: ['exited_update_flow', 'The person closed the dialog'],
  sign: ['unable_to_sign', 'User rejected the request.'],
  create: ['embedded_wallet_create_error', 'User exited before wallet could be created'],
  recovery: ['user_exited_set_password_flow', 'User exited set recovery flow'],
  export: ['unknown_embedded_wallet_error', 'The person closed the dialog'],
  import: ['embedded_wallet_create_error', 'User exited before wallet could be imported'],
  device: ['unknown_embedded_wallet_error', 'The person closed the dialog'],
  mfa: ['mfa_canceled', 'MFA canceled'],
  signer: ['farcaster_rejected', 'The user closed the dialog'],
  fund: ['exited_funding_flow', 'The user closed the dialog'],
  delegate: ['delegation_declined', 'User declined delegating actions.'],
  revoke: ['revocation_declined', 'User declined revoking access to their delegated wallet.'],
  settings: ['exited_update_flow', 'The person closed the dialog'],
  connect: ['generic_connect_wallet_error', 'User exited before wallet could be connected'],
}

/** How a run that threw is reported to the host. */
export function exitOf(intent: Run['intent'], cause: unknown): KitError {
  if (cause instanceof KitError) return cause
  if (cause instanceof Closed) return new KitError(...exits[intent], { cause })
  return new KitError('unknown_auth_error', 'Something went wrong', { cause, details: String(cause) })
}
