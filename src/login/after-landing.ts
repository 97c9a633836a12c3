/** What is loaded once the landing screen is up, or could not come up: what every login method needs, whichever is chosen. */
import { addWords } from '../copy/copy.ts'
import { account } from '../copy/en/account.ts'
import { code } from '../copy/en/code.ts'
import { errors } from '../copy/en/errors.ts'
import { gate } from '../copy/en/gate.ts'
import { wallet } from '../copy/en/wallet.ts'

export { untilLoaded } from '../app/failure/until-loaded.ts'
export { fetchAppNames } from './cross-app/app-names.ts'
export { finish } from './finish.ts'
export { startingFailed } from './landing/starting-failed.ts'
export { logInWith, prepare } from './methods.ts'
export { underway } from './underway.ts'

addWords(account, code, errors, gate, wallet)
