/** The screen of removing a device, with its words. */
import { addWords } from '../../../copy/copy.ts'
import { devices } from '../../../copy/en/devices.ts'

export { removeDevice } from './remove-device.tsx'

addWords(devices)
