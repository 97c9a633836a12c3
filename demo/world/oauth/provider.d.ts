/** The class without the package's front door, which prints a warning on every start under Node 20. */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider'
}
