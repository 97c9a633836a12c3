import { addWords } from '../../../copy/copy.ts'
import { device } from '../../../copy/en/device.ts'
import { devices } from '../../../copy/en/devices.ts'

export { removeVaultPasskey } from './remove-vault-passkey.tsx'
export { vaultPasskey } from './vault-passkey.tsx'
export { vaultPasskeys } from './vault-passkeys.tsx'

addWords(device, devices)
