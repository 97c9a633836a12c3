import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'

/** Does work that writes device shares of a person, one piece at a time in all tabs. It can't be nested. */
export const exclusively = <T>(cx: VaultContext, token: Token, work: () => Promise<T>): Promise<T> =>
  cx.locks.run(JSON.stringify(['latchkey-vault', cx.settings.appId, token.user]), work)
