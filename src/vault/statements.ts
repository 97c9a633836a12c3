import { titles } from './reserved.ts'

/**
 * What the vault signs for the server, so that nobody who has a login alone can claim an address, add a device or change
 * the recovery method: with a wallet's own key that it has the wallet, with the device's key what it changes.
 * One line each for what it is and for every value.
 */
function statement<const Names extends readonly string[]>(kind: keyof typeof titles, ...names: Names) {
  return (values: Readonly<Record<Names[number], string | number>>): string =>
    [titles[kind], ...names.map((name: Names[number]) => `${name}: ${values[name]}`)].join('\n')
}

export const statements = {
  walletCreated: statement('walletCreated', 'app', 'user', 'address', 'wallet'),
  walletAdded: statement('walletAdded', 'app', 'user', 'wallet', 'chain', 'index', 'address'),
  deviceAdded: statement('deviceAdded', 'app', 'user', 'wallet', 'set'),
  /** Signed by the device's key. `package` is the SHA-256 of the package's text, in hex. */
  recoveryChanged: statement('recoveryChanged', 'app', 'user', 'wallet', 'change', 'method', 'package'),
  /** Signed by the device's key. */
  recoveryConfirmed: statement('recoveryConfirmed', 'app', 'user', 'wallet', 'change'),
  /** Signed by the device's key, with the call: the device with this thumbprint may be enrolled. */
  deviceApproval: statement('deviceApproval', 'app', 'user', 'request', 'thumbprint', 'number'),
  /** Signed by the device's key, with the call: this passkey enrols further devices, or no longer does. */
  vaultPasskey: statement('vaultPasskey', 'app', 'user', 'credential'),
  vaultPasskeyRemoved: statement('vaultPasskeyRemoved', 'app', 'user', 'credential'),
  /**
   * The following are signed with the request that they approve, and only once the vault's window has shown them
   * ({@link statementShown}). An account change that replaces an account names that one, too.
   */
  accountChanged: statement('accountChanged', 'app', 'user', 'change', 'action', 'type', 'subject'),
  accountReplaced: statement(
    'accountChanged',
    'app',
    'user',
    'change',
    'action',
    'type',
    'subject',
    'replaces',
  ),
  deviceRemoved: statement('deviceRemoved', 'app', 'user', 'device'),
  /** `subject`: a number, or the ids of passkeys, separated by commas; empty for anything else. */
  factorChanged: statement('factorChanged', 'app', 'user', 'action', 'factor', 'subject'),
  keyExported: statement('keyExported', 'app', 'user', 'address'),
  keyImported: statement('keyImported', 'app', 'user', 'address', 'wallet'),
  /** `terms`: the hash of all that the window has shown. */
  permissionGiven: statement('permissionGiven', 'app', 'user', 'address', 'permission', 'terms'),
} as const

/**
 * The statement that goes with a request, in the pages of the vault in which a user approves. The hidden frame, which does
 * as the page asks, signs none.
 */
export const statementShown = (
  cx: { readonly approves?: true | undefined },
  text: string,
): { readonly statement: string | undefined } => ({ statement: cx.approves ? text : undefined })
