import { type Device, listDevices } from '../../protocol/devices.ts'
import type { Http } from '../../protocol/http.ts'

/** The devices that may use a person's wallets. */
export interface Devices {
  /** Those that are known, the one used last first. Throws the server's error. */
  list(): Promise<readonly Device[]>
}

export const createDevices = ({ http }: { http: () => Http }): Devices => ({
  list: () => listDevices(http()),
})
