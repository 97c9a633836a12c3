/** What the kit loads when something is to be signed. */
export { signMessage } from './sign-message.ts'
