/** Has a person verify that they are who they are, in the vault's own field: what the server asks for before what they approve. */
import type { Translate } from '../../../copy/copy.ts'
import type { Stage } from '../../../dialog/stage.ts'
import { isMfaMethod } from '../../../mfa/methods.ts'
import { verifyIdentity } from '../../../mfa/verify/flow.ts'
import { NotVerified } from '../../../mfa/verify/not-verified.ts'
import type { ApprovalPurpose } from '../../../protocol/frame/approval.ts'
import type { MfaPurpose } from '../../../protocol/frame/calls.ts'
import type { VaultContext } from '../../context.ts'
import { type MfaAsked, mfaCanceled, VaultError } from '../../errors.ts'
import type { MfaProof } from '../../mfa/proofs.ts'
import { fetchMfa, sendMfaCode, verifyMfa } from '../../server/mfa.ts'
import type { Token } from '../../token.ts'
import type { ApprovalConnection } from '../connection.ts'
import { failureOf } from './failures.ts'

interface Asking {
  readonly stage: Stage
  readonly t: Translate
  readonly vault: VaultContext
  readonly passkey: ApprovalConnection['passkey']
  shown(cause: unknown): void
}

/** What ends in something that wants a proof of its own: then the person is asked once, and not twice. */
const ends: Readonly<Partial<Record<ApprovalPurpose, MfaPurpose>>> = {
  export: 'export',
  'set-recovery': 'recovery',
  'remove-device': 'device',
  'account-change': 'account',
  grant: 'account',
}

/** Resolves with the proof that the server gives. Throws `Closed`, or a `VaultError` that says why there is none. */
export async function askPerson(
  { stage, t, vault, passkey, shown }: Asking,
  token: Token,
  { purpose: wanted, methods }: MfaAsked,
  approval: ApprovalPurpose,
): Promise<MfaProof> {
  const purpose = wanted === 'use' ? (ends[approval] ?? wanted) : wanted
  const known = methods.filter(isMfaMethod)
  if (known.length === 0) throw new VaultError('error', 'Unsupported MFA method')
  const { recoveryCodesLeft } = await fetchMfa(vault, token)
  try {
    return await verifyIdentity(
      { stage, t, clock: vault.clock, report: shown },
      {
        methods: known,
        recoveryCodes: recoveryCodesLeft > 0,
        sendCode: () => sendMfaCode(vault, token),
        askPasskey: (signal) => passkey('verify', signal),
        verify: (given) =>
          verifyMfa(
            vault,
            token,
            { purpose, methods },
            // The server holds the page to the ceremony that it began.
            given.method === 'passkey' ? { ...given, relyingParty: undefined } : given,
          ),
        failureOf,
      },
    )
  } catch (cause) {
    throw cause instanceof NotVerified ? refusals[cause.why](cause) : cause
  }
}

const refusals = {
  canceled: (cause) => mfaCanceled(cause),
  timeout: (cause) => new VaultError('mfa_timeout', 'Timed out waiting for MFA code', { cause }),
  'max-attempts': (cause) =>
    new VaultError('mfa_verification_max_attempts_reached', 'Max MFA verification attempts reached', {
      cause,
    }),
} as const satisfies Record<NotVerified['why'], (cause: unknown) => VaultError>
