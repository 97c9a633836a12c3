import * as v from 'valibot'
import type { App } from '../settings/app.ts'
import { soldChains } from './assets.ts'
import type { Ramp, RampProvider } from './provider.ts'
import { coinbase } from './providers/coinbase.ts'
import { moonpay } from './providers/moonpay.ts'

/** Every provider. A third one is one more line. */
const providers: readonly RampProvider[] = [moonpay, coinbase]

const opened = new WeakMap<App, readonly Ramp[]>()

/**
 * The providers of an app, in the order of its settings.
 * @throws Error that names the app and the setting that is wrong, without its value
 */
export function rampsOf(app: App): readonly Ramp[] {
  const known = opened.get(app)
  if (known) return known
  const ramps = Object.entries(app.onRamps?.providers ?? {}).map(([id, settings]) => {
    const fail = (what: string) => new Error(`App '${app.id}': onRamps.providers.${id}${what}`)
    const provider = providers.find((each) => each.id === id)
    if (!provider)
      throw fail(`: there is none of this name, but ${providers.map((each) => each.id).join(', ')}`)
    try {
      return provider.open(settings)
    } catch (cause) {
      if (!(cause instanceof v.ValiError))
        throw fail(`.${cause instanceof Error ? cause.message : 'settings'}`)
      const [issue] = cause.issues
      const path = v.getDotPath(issue)
      // A message of the library's own quotes what it was given.
      const message =
        'received' in issue ? issue.message.replace(/(?: but)? received .*$/i, '') : issue.message
      throw fail(`${path ? `.${path}` : ''}: ${message}`)
    }
  })
  opened.set(app, ramps)
  return ramps
}

/** @throws Error for settings with which no provider can be opened */
export function assertRampSettings(apps: readonly App[]): void {
  for (const app of apps) rampsOf(app)
}

const soldAssets = ['native-currency', 'USDC'] as const

/** What is public of them. */
export const rampViews = (app: App) =>
  rampsOf(app).map(({ id, name, methods, sandbox, product }) => ({
    id,
    name,
    methods: methods.map((method) => method.id),
    is_sandbox: sandbox,
    sells: soldChains.flatMap((chain) =>
      soldAssets.flatMap((asset) => (product(chain, asset) === undefined ? [] : [{ chain, asset }])),
    ),
  }))
