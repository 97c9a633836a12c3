import { createBackend, makeToken } from './backend.ts'
import { createDevice, openTab, person } from './device.ts'
import { container, createDrives, type Drives } from './drives.ts'
import { user } from './person.ts'

export const password = 'korrekt-Pferd-Batterie'
const ownKey = 'the host keeps this key of its own'
const nativeSecret = 'a native app has put this into iCloud'

/** A recovery method, as a page sets and uses it. An iCloud token works only once, so each use requests its own. */
export interface RecoveryMethod {
  readonly name: string
  readonly method: string
  set(drives: Drives): object
  use(drives: Drives): object
}
export const recoveryMethods: readonly RecoveryMethod[] = [
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
export const recoveryMethodOf = (name: string): RecoveryMethod =>
  recoveryMethods.find((method) => method.name === name) ?? unknownMethod(name)
function unknownMethod(name: string): never {
  throw new Error(`No recovery method is called ${name}`)
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

/** A person whose Ethereum wallet was made with a recovery method, and who can use any number of devices. */
export async function withRecoveryMethod(method: RecoveryMethod) {
  const { backend, drives } = createCloud()
  const token = makeToken(user)
  const openDevice = (device = createDevice()) => ({ device, me: person(openTab(backend, device), token) })
  const { device, me } = openDevice()
  const { address = '', error } = await me.create(method.set(drives))
  if (error) throw new Error(error.message)
  return { backend, drives, token, device, me, address, stored: backend.rootOf(user), openDevice }
}
