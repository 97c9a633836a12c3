/** What the kit loads when somebody logs in. */
export { login } from './login.ts'
export { starting } from './starting.ts'
