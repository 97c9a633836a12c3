/**
 * The apps of the demo that journeys with wallets log in to, each by what is drawn there: in a compatible app the kit
 * draws codes, approvals and recovery itself; in a strict one the vault does, in a frame or window of its own.
 */
import type { Demo } from './demo.ts'

/** For journeys that log in, sign, or are about something else; its people get a wallet with their login. Strict. */
export const open = 'latchkey-demo-open-000001'

/** Its people may choose among all recovery methods. Strict. */
export const strictKeeps = 'latchkey-demo-recover-013'

/** The apps whose users can have smart wallets, with a sponsor that pays their fees. */
export const sponsored = {
  compatible: 'latchkey-demo-fees-compat',
  strict: 'latchkey-demo-smart-00015',
} as const

/** The twins of the demo's two main apps. */
const compatible = { open: 'latchkey-demo-open-compat', keeps: 'latchkey-demo-keep-compat' }
/** The compatible app that is otherwise like {@link open}. */
export const openCompatible = compatible.open
export const compatibleApps = Object.values(compatible)

/** The compatible app whose people may choose among all recovery methods. */
export const keeps = compatible.keeps
/** As its people read it, and as libraries of the page list its wallets. */
export const keepsName = 'Wallets For Keeps (compatible)'

/** Its people must choose a way to recover that is their own, and its page may keep a key for one. Strict. */
export const ownKey = 'latchkey-demo-ownkey-0014'

/** For pages that speak to the vault by message alone, as unmodified clients of the protocol do. */
export const unmodified = compatible.keeps

/** The demo's page of the open app. */
export const openPage = ({ site }: Pick<Demo, 'site'>) => `${site}/?app=${open}`
