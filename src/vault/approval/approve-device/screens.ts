import { addWords } from '../../../copy/copy.ts'
import { devices } from '../../../copy/en/devices.ts'

export { approveDevice } from './approve-device.tsx'
export { deviceAnswered } from './device-answered.tsx'

addWords(devices)
