import { createStore, type Store } from '../../lib/store.ts'
import type { FlowState, HeadlessMethod } from '../../login/flow-state.ts'
import type { HeadlessCalls } from '../../login/headless-calls.ts'
import type { HeadlessMethods } from '../api.ts'
import { deferred } from './deferred.ts'

/**
 * The calls of each method by name, so that a page has them before the chunk that does the work is loaded.
 */
const names: { readonly [Method in keyof HeadlessCalls]: readonly (keyof HeadlessCalls[Method])[] } = {
  captcha: ['token'],
  customAuth: ['sync'],
  crossApp: ['prepare', 'login', 'link', 'grant'],
  email: ['sendCode', 'loginWithCode', 'linkWithCode', 'updateWithCode'],
  sms: ['sendCode', 'loginWithCode', 'linkWithCode', 'updateWithCode'],
  farcaster: ['connect', 'link', 'initLoginToFrame', 'loginToFrame'],
  guest: ['create'],
  oauth: ['initOAuth', 'link'],
  passkey: ['login', 'signup', 'link'],
  siwe: ['generateMessage', 'login', 'link'],
  siws: ['generateMessage', 'login', 'link'],
  telegram: ['prepare', 'login', 'link'],
}

/** The methods without screens; `load` loads what does the work once one of them is called. */
export function createHeadlessMethods(load: () => Promise<HeadlessCalls>): {
  methods: HeadlessMethods
  state(method: HeadlessMethod): Store<FlowState>
} {
  const states = new Map<string, Store<FlowState>>()
  const state = (method: string) => {
    const known = states.get(method) ?? createStore<FlowState>({ status: 'initial' })
    states.set(method, known)
    return known
  }
  const entries = Object.entries(names).map(([method, calls]) => [
    method,
    {
      ...deferred(async () => ((await load()) as unknown as Calls)[method] ?? {}, calls),
      state: state(method),
    },
  ])
  return { methods: Object.fromEntries(entries) as HeadlessMethods, state }
}

type Calls = Readonly<Record<string, Readonly<Record<string, (input: unknown) => unknown>>>>
