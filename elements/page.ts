import type { HostConfig } from '../src/app/config.ts'
import type { CopyOverrides } from '../src/copy/copy.ts'
import type { Kit, KitOptions } from '../src/kit/api.ts'
import { appIdLength } from '../src/lib/app-id.ts'
import { parseBaseUrl } from '../src/lib/origin.ts'
import { createStore } from '../src/lib/store.ts'
import { type SessionKey, sessionKey } from '../src/session/keys.ts'
import { isAwaited } from './base/arrival.ts'
import { warnOnce } from './base/host.ts'
import { isStored } from './base/stored.ts'

/** The settings that one element gives for its app. */
export interface AppSettings {
  apiUrl: string | undefined
  clientId: string | undefined
  vaultUrl: string | undefined
  config: HostConfig | undefined
  copy: CopyOverrides | undefined
  analytics: false | undefined
}
/** An element that names an app. */
export interface Member {
  settings(): AppSettings
}

/** What this browser keeps of an app that a page has to restore: a session, and the wallets that were connected. */
const remembered: readonly SessionKey[] = ['token', 'refresh', 'connections']

/** One app of the page, with its kit once something needed it. It exists while it has members or a kit. */
export class App {
  kit: Kit | undefined
  readonly members = new Set<Member>()

  constructor(readonly appId: string) {}

  /** The settings of all elements together; where they disagree the first one counts. */
  options(): KitOptions {
    const all = [...this.members].map((member) => member.settings())
    const options = { appId: this.appId, apiUrl: '' }
    for (const each of all)
      for (const [name, value] of Object.entries(each)) {
        const said: unknown = Reflect.get(options, name)
        if (value === undefined || said === value) continue
        if (!said) Reflect.set(options, name, value)
        else if (typeof value === 'string')
          warnOnce(`elements of ${this.appId} disagree about ${name}: the first counts`)
      }
    return options
  }

  /** Whether a kit can be created with these settings. Where not, the kit's own file knows what to say about it. */
  isSetUp(): boolean {
    if (this.kit) return true
    const { appId, apiUrl, vaultUrl } = this.options()
    return appId.length === appIdLength && [apiUrl, vaultUrl || apiUrl].every(parseBaseUrl)
  }

  /**
   * Whether there is something to restore, checked without loading any chunk: a session, connected wallets, or a login
   * that left the page and has returned.
   */
  hasAnything(): boolean {
    return (
      remembered.some((name) => isStored('localStorage', sessionKey(this.appId, name))) ||
      isAwaited(this.appId) ||
      this.followsHost()
    )
  }

  /** Whether the host has a login of its own that this one follows. */
  followsHost(): boolean {
    return this.options().config?.customAuth?.enabled ?? false
  }
}

/** Module state, because it belongs to the page: one kit per app id. */
const apps = createStore<readonly App[]>([])

/** Calls `listener` when an app or its kit is added or removed. */
export const onApps = apps.subscribe

/** The page's only app: the one that elements name, else the one that a script created. */
export function onlyApp(): App | undefined {
  const named = apps.get().filter((app) => app.members.size > 0)
  const [first, second] = named.length > 0 ? named : apps.get()
  return second ? undefined : first
}

export function joinApp(appId: string, member: Member): App {
  const app = appNamed(appId) ?? new App(appId)
  if (!app.members.has(member)) {
    app.members.add(member)
    changed(app)
  }
  return app
}

export function leaveApp(app: App, member: Member): void {
  if (app.members.delete(member)) changed(app)
}

/** The app of that id, if the page has it. */
export const appNamed = (appId: string): App | undefined => apps.get().find((app) => app.appId === appId)

/** Tells the elements of the page that an app has come, has gone, or has another kit. */
export function changed(app: App): void {
  const others = apps.get().filter((each) => each !== app)
  apps.set(app.kit || app.members.size > 0 ? [...others, app] : others)
}
