/** The first lines of the vault's statements, as which no message of a page may begin. */
export const titles = {
  walletCreated: 'Latchkey embedded wallet',
  walletAdded: 'Latchkey wallet added',
  deviceAdded: 'Latchkey device added',
  recoveryChanged: 'Latchkey recovery change',
  recoveryConfirmed: 'Latchkey recovery confirmed',
  deviceApproval: 'Latchkey device approval',
  vaultPasskey: 'Latchkey recovery passkey',
  vaultPasskeyRemoved: 'Latchkey recovery passkey removed',
  accountChanged: 'Latchkey account change',
  deviceRemoved: 'Latchkey device removal',
  factorChanged: 'Latchkey second factor',
  keyExported: 'Latchkey key export',
  keyImported: 'Latchkey key import',
  permissionGiven: 'Latchkey permission',
} as const

/** Whether a message begins as a statement of the vault's: no page gets a signature under one. */
export const isStatement = (message: Uint8Array): boolean => {
  const text = new TextDecoder().decode(message.subarray(0, 64))
  return Object.values(titles).some((title) => text.startsWith(`${title}\n`))
}
