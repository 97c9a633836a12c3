import { createBackend, makeToken } from './backend.ts'
import { createDevice, openTab, person } from './device.ts'
import { container, createDrives, type Drives } from './drives.ts'
import { user } from './person.ts'

export const password = 'korrekt-Pferd-Batterie'
const ownKey = 'the host keeps this key of its own'
const nativeSecret = 'a native app has put this into iCloud'

/** A way of recovery, as a page sets and uses it. Tokens of iCloud serve once, so each use asks for its own. */
export interface Way {
  readonly name: string
  readonly method: string
  set(drives: Drives): object
  use(drives: Drives): object
}
export const ways: readonly Way[] = [
  { name: 'automatic', method: 'privy', set: () => ({ recoveryMethod: 'privy' }), use: () => ({}) },
  {
    name: 'password',
    method: 'user-passcode',
    set: () => ({ recoveryMethod: 'user-passcode', recoveryPassword: password }),
    use: () => ({ recoveryPassword: password }),
  },
  {
    name: 'Google Drive',
    method: 'google-drive',
    set: (drives) => ({ recoveryMethod: 'google-drive', recoveryAccessToken: drives.googleToken() }),
    use: (drives) => ({ recoveryAccessToken: drives.googleToken() }),
  },
  {
    name: 'iCloud',
    method: 'icloud',
    set: (drives) => ({ recoveryMethod: 'icloud', recoveryAccessToken: drives.icloudToken() }),
    use: (drives) => ({ recoveryAccessToken: drives.icloudToken() }),
  },
  {
    name: 'iCloud of a native app',
    method: 'icloud',
    set: () => ({
      recoveryMethod: 'icloud-native',
      recoverySecretOverride: nativeSecret,
      iCloudRecordNameOverride: 'record-of-the-app',
    }),
    use: () => ({ recoverySecretOverride: nativeSecret }),
  },
  {
    name: 'own key',
    method: 'recovery-encryption-key',
    set: () => ({ recoveryMethod: 'recovery-encryption-key', recoveryKey: ownKey }),
    use: () => ({ recoveryKey: ownKey }),
  },
]
export const wayOf = (name: string): Way => ways.find((way) => way.name === name) ?? nowhere(name)
function nowhere(name: string): never {
  throw new Error(`No way of recovery is called ${name}`)
}

/** A backend whose people have drives. */
export function createCloud() {
  const backend = createBackend()
  const drives = createDrives()
  backend.routes.elsewhere = drives.fetch
  backend.routes.icloud = {
    api_token: container.apiToken,
    container_identifier: container.container,
    environment: container.environment,
  }
  return { backend, drives }
}

/** A person whose Ethereum wallet was made with a way of recovery, and who can sit down at any number of devices. */
export async function withWay(way: Way) {
  const { backend, drives } = createCloud()
  const token = makeToken(user)
  const sitDown = (device = createDevice()) => ({ device, me: person(openTab(backend, device), token) })
  const { device, me } = sitDown()
  const { address = '', error } = await me.create(way.set(drives))
  if (error) throw new Error(error.message)
  return { backend, drives, token, device, me, address, stored: backend.rootOf(user), sitDown }
}
