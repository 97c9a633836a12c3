import type { Screen } from '../../../dialog/screen.ts'

/**
 * The screens that the vault's own window draws, by id. Their props are plain data. A purpose adds its screens, and the words that they
 * show, with a line here.
 */
export const screens: Readonly<Record<string, () => Promise<Screen<object, unknown>>>> = {
  'connecting-wallet': async () => load((await import('../recover/screens.ts')).connectingWallet),
  failure: async () => load((await import('../recover/screens.ts')).failure),
  'choose-factor': async () => load((await import('../recover/screens.ts')).chooseFactor),
  'device-approval': async () => load((await import('../recover/screens.ts')).deviceApproval),
  'wallet-proof': async () => load((await import('../recover/wallet-proof.tsx')).walletProof),
  'vault-passkey': async () => load((await import('../vault-passkeys/screens.ts')).vaultPasskey),
  'vault-passkeys': async () => load((await import('../vault-passkeys/screens.ts')).vaultPasskeys),
  'remove-vault-passkey': async () => load((await import('../vault-passkeys/screens.ts')).removeVaultPasskey),
  'approve-device': async () => load((await import('../approve-device/screens.ts')).approveDevice),
  'device-answered': async () => load((await import('../approve-device/screens.ts')).deviceAnswered),
  'confirm-drive': async () => load((await import('../recover/screens.ts')).confirmDrive),
  'enter-code': async () => load((await import('../recover/screens.ts')).enterCode),
  'password-recovery': async () => load((await import('../recover/screens.ts')).passwordRecovery),
  'visit-provider': async () => load((await import('../providers/screens.ts')).visitProvider),
  'awaiting-farcaster': async () => load((await import('../providers/screens.ts')).awaitingFarcaster),
  'recovery-oauth': async () => load((await import('../recover/screens.ts')).recoveryOAuth),
  'automatic-recovery': async () => load((await import('../set-recovery/screens.ts')).automaticRecovery),
  'set-password': async () => load((await import('../set-recovery/screens.ts')).setPassword),
  'save-password': async () => load((await import('../set-recovery/screens.ts')).savePassword),
  'confirm-password': async () => load((await import('../set-recovery/screens.ts')).confirmPassword),
  'finish-password': async () => load((await import('../set-recovery/screens.ts')).finishPassword),
  'password-result': async () => load((await import('../set-recovery/screens.ts')).passwordResult),
  'sign-message': async () => load((await import('../sign/screens.ts')).signMessage),
  'sign-typed-data': async () => load((await import('../sign/screens.ts')).signTypedData),
  'approve-transaction': async () => load((await import('../sign/screens.ts')).approveTransaction),
  'show-key': async () => load((await import('../export/screens.ts')).showKey),
  'import-key': async () => load((await import('../import/screens.ts')).importKey),
  'give-permission': async () => load((await import('../grant/screens.ts')).givePermission),
  'remove-device': async () => load((await import('../remove-device/screens.ts')).removeDevice),
  'account-change': async () => load((await import('../account-change/screens.ts')).accountChange),
  'account-frozen': async () => load((await import('../frozen/screens.ts')).accountFrozen),
  'mfa-intro': async () => load((await import('../mfa/screens.ts')).mfaIntro),
  'mfa-methods': async () => load((await import('../mfa/screens.ts')).chooseMethod),
  'mfa-authenticator': async () => load((await import('../mfa/screens.ts')).authenticator),
  'mfa-phone': async () => load((await import('../mfa/screens.ts')).mfaPhone),
  'mfa-passkeys': async () => load((await import('../mfa/screens.ts')).mfaPasskeys),
  'mfa-enrolled': async () => load((await import('../mfa/screens.ts')).mfaEnrolled),
  'mfa-recovery-codes': async () => load((await import('../mfa/screens.ts')).recoveryCodes),
  'mfa-loading': async () => load((await import('../mfa/screens.ts')).mfaLoading),
  'mfa-verify': async () => load((await import('../mfa/screens.ts')).chooseVerification),
  'mfa-code': async () => load((await import('../mfa/screens.ts')).mfaCode),
  'mfa-passkey': async () => load((await import('../mfa/screens.ts')).verifyPasskey),
  'mfa-recovery-code': async () => load((await import('../mfa/screens.ts')).enterRecoveryCode),
  'mfa-remove': async () => load((await import('../mfa/screens.ts')).removeMethod),
}

const load = <P extends object, A>(screen: Screen<P, A>) => screen as unknown as Screen<object, unknown>
