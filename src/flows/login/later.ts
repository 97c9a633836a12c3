/** What is loaded once somebody has chosen a way in: the landing screen does without it. */
export { loginWithEmail } from './email.ts'
export { finish } from './finish.ts'
