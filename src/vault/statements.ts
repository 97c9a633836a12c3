/**
 * What the vault signs for the server, so that nobody who has a login alone can claim an address, add a device or change
 * the recovery method: with a wallet's own key that it has the wallet, with the device's key what it changes.
 * One line each for what it is and for every value.
 */
const titles: string[] = []
function statement<const Names extends readonly string[]>(title: string, ...names: Names) {
  titles.push(title)
  return (values: Readonly<Record<Names[number], string | number>>): string =>
    [title, ...names.map((name: Names[number]) => `${name}: ${values[name]}`)].join('\n')
}

export const statements = {
  walletCreated: statement('Latchkey embedded wallet', 'app', 'user', 'address', 'wallet'),
  walletAdded: statement('Latchkey wallet added', 'app', 'user', 'wallet', 'chain', 'index', 'address'),
  deviceAdded: statement('Latchkey device added', 'app', 'user', 'wallet', 'set'),
  /** Signed by a root's key: the browser that holds a share of it has this device key now. */
  deviceKey: statement('Latchkey device key', 'app', 'user', 'wallet', 'set', 'thumbprint'),
  /** Signed by the device's key. `package` is the SHA-256 of the package's text, in hex. */
  recoveryChanged: statement(
    'Latchkey recovery change',
    'app',
    'user',
    'wallet',
    'change',
    'method',
    'package',
  ),
  /** Signed by the device's key. */
  recoveryConfirmed: statement('Latchkey recovery confirmed', 'app', 'user', 'wallet', 'change'),
} as const

/** Whether a message begins as one of these: no page gets a signature under one. */
export const isStatement = (message: Uint8Array): boolean => {
  const text = new TextDecoder().decode(message.subarray(0, 64))
  return titles.some((title) => text.startsWith(`${title}\n`))
}
