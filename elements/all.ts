import { type DefineOptions, defineElement } from './define.ts'
import { LoginModal } from './login-modal.ts'
import { WalletConnector } from './wallet-connector.ts'
import { WalletSign } from './wallet-sign.ts'

export type { KitElement } from './element.ts'
export type { LatchkeyEventMap } from './events.ts'
export type { Attributes, ElementOf, EventsFrom, Handlers, Properties, Props, Tag } from './types.ts'
export { LoginModal, WalletConnector, WalletSign }

/** Registers all elements, under a prefix if one is given. */
export function define(options?: DefineOptions): void {
  for (const element of [LoginModal, WalletConnector, WalletSign]) defineElement(element, options)
}
