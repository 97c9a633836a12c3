import type { Kit } from '../src/kit/api.ts'
import { App, appNamed, changed } from './page.ts'

/** The kit of that app id, created by `make` if there is none. */
export function kitOf(appId: string, make: () => Kit): Kit {
  const present = appNamed(appId)?.kit
  if (present) return present
  const kit = make()
  const app = appNamed(appId) ?? new App(appId)
  app.kit = kit
  const destroy = kit.destroy.bind(kit)
  kit.destroy = () => {
    destroy()
    app.kit = undefined
    changed(app)
  }
  changed(app)
  return kit
}
