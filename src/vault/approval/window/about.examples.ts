import { type WindowAbout, type WindowPurpose, windowPurposes } from './about.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const stakes: Partial<Record<WindowPurpose, string>> = {
  transaction: '0.25 ETH',
  'account-change': 'ada@example.com',
  create: 'Google Drive',
  import: 'Ethereum',
  device: 'Chrome on Windows',
  factor: 'Text message',
  factors: 'Authenticator app',
  passkeys: 'MacBook, Phone',
  'recovery-codes': '10',
  verify: 'Passkey',
}

/** One of each purpose, as a window is announced for it. */
export const abouts = Object.fromEntries(
  windowPurposes.map((purpose) => [
    purpose,
    { purpose, stake: stakes[purpose] ?? address, appName: 'Sample Store', because: 'risk' },
  ]),
) as unknown as Readonly<Record<WindowPurpose, WindowAbout>>
