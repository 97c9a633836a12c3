import { countDeviceRequests, type Device, listDeviceProofs, listDevices } from '../../protocol/devices.ts'
import type { CallOptions, Http } from '../../protocol/http.ts'

/** The devices that may use a user's wallets, and what a new one needs. Everything throws the server's error. */
export interface Devices {
  /** Those that are known, the one used last first. */
  list(): Promise<readonly Device[]>
  /** How many new devices wait for the approval of one of these. */
  countRequests(options?: CallOptions): Promise<number>
  /** The kinds of proof with which the user could confirm a new device; with none, their wallet lives in one browser alone. */
  proofs(options?: CallOptions): Promise<readonly string[]>
}

export const createDevices = ({ http }: { http: () => Http }): Devices => ({
  list: () => listDevices(http()),
  countRequests: (options) => countDeviceRequests(http(), options),
  proofs: (options) => listDeviceProofs(http(), options),
})
