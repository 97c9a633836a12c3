import { type Delegate, readDelegates } from '../ethereum/wallet-code.ts'
import type { Config } from './config.ts'

/** Contracts whose code the app allows at its users' own addresses (EIP-7702), as its server says. The host page has no say in it. */
export const delegatesOf = ({ app }: Pick<Config, 'app'>): readonly Delegate[] =>
  readDelegates(app.delegates?.map((each) => ({ ...each })))
