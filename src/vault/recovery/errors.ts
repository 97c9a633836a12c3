import { VaultError } from '../errors.ts'

export const wrongPassword = (): VaultError =>
  new VaultError('invalid_recovery_pin', 'The recovery password is wrong')

/** The page may not have this done by a message. */
export const needsApproval = (): VaultError =>
  new VaultError('error', "Approve this in the wallet's own window")

/** What a page keeps is no secret from its scripts: in a strict app it brings no wallet back. */
export const keptByPage = (): VaultError =>
  new VaultError('recovery_method_not_supported', 'A key that the page keeps recovers no wallet in this app')

/** Whether the server has refused what was proved, and not the call. */
export const isWrongProof = (cause: unknown): boolean =>
  cause instanceof VaultError && cause.code === 'invalid_credentials'
