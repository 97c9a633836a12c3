/** Loaded once a wallet needs its person: recovery, backup, and export. */
import { addWords } from '../copy/copy.ts'
import { approval } from '../copy/en/approval.ts'
import { delegation } from '../copy/en/delegation.ts'
import { device } from '../copy/en/device.ts'
import { errors } from '../copy/en/errors.ts'
import { keyExport } from '../copy/en/export.ts'
import { password } from '../copy/en/password.ts'
import { recovery } from '../copy/en/recovery.ts'
import { recoveryErrors } from '../copy/en/recovery-errors.ts'
import { wallet } from '../copy/en/wallet.ts'

export { approve } from './approval/flow.ts'
export { delegateWallet, revokeDelegation } from './delegation/flow.ts'
export { approveDevice, managePasskeys, removeDevice } from './devices/flow.ts'
export { addProof, offerProof } from './devices/proof-flow.ts'
export { exportInVault, exportWallet } from './export/flow.ts'
export { importWallet } from './import/flow.ts'
export { changePassword, changeRecovery } from './recovery/change-flow.ts'
export { secureWallet } from './recovery/choose-flow.ts'
export { withWalletHere } from './recovery/recover-flow.ts'

addWords(approval, delegation, device, errors, wallet, recovery, password, keyExport, recoveryErrors)
