import type { Readable } from '../../lib/store.ts'
import { isMfaMethod } from '../../mfa/methods.ts'
import type { Balance, CrossAppRequests, Kit, KitState, MfaState } from '../api.ts'
import type { HostCalls } from './calls.ts'
import { deferred } from './deferred.ts'

/** What a host calls beyond a login, by name: `load` loads what does the work with the first call. */
export function createHostMethods(
  load: () => Promise<HostCalls>,
  state: Readable<KitState>,
  mfaState: Readable<MfaState>,
  balances: Readable<readonly Balance[]>,
  reportFailure: (work: Promise<unknown>) => Promise<void>,
) {
  const callsTo =
    <Part extends keyof HostCalls>(part: Part) =>
    async () =>
      (await load())[part]
  return {
    ...deferred(load, [
      'createWallet',
      'createSmartWallet',
      'importWallet',
      'setWalletRecovery',
      'setWalletPassword',
      'exportWallet',
      'manageAccount',
      'openActivity',
      'openBalances',
      'openSend',
      'fundWallet',
      'delegateWallet',
      'revokeDelegatedWallets',
      'link',
      'unlink',
      'updateEmail',
      'updatePhone',
      'initiateTransfer',
      'signMessage',
      'signTypedData',
      'signTransaction',
      'sendTransaction',
      'sendCalls',
      'getCallsStatus',
      'fetchWithPayment',
      'upgradeWallet',
      'downgradeWallet',
      'signAuthorization',
      'connectWallet',
      'connectOrCreateWallet',
      'acceptTerms',
    ]),
    balances: {
      get: balances.get,
      subscribe: balances.subscribe,
      ...deferred(callsTo('balances'), ['refresh']),
    },
    mfa: {
      get methods() {
        return (state.get().user?.mfaMethods ?? []).filter(isMfaMethod)
      },
      state: mfaState,
      ...deferred(callsTo('mfa'), [
        'enroll',
        'remove',
        'unenroll',
        'recoveryCodes',
        'prompt',
        'init',
        'submit',
        'initEnrollment',
        'submitEnrollment',
      ]),
      cancel: () => reportFailure(load().then(({ mfa }) => mfa.cancel())),
    },
    devices: deferred(callsTo('devices'), [
      'list',
      'remove',
      'countRequests',
      'approve',
      'proofs',
      'addProof',
    ]),
    farcasterSigner: deferred(callsTo('farcasterSigner'), ['request', 'sign']),
    permissions: deferred(callsTo('permissions'), ['list', 'stop']),
    connectedApps: deferred(callsTo('connectedApps'), ['list', 'disconnect']),
    crossApp: deferred(callsTo('crossApp'), [
      'signMessage',
      'signTypedData',
      'sendTransaction',
      'request',
      'respond',
      'decline',
    ]),
    sessions: deferred(callsTo('sessions'), ['list', 'end', 'endOthers']),
    solana: deferred(callsTo('solana'), [
      'signMessage',
      'signTransaction',
      'signAllTransactions',
      'signAndSendTransaction',
      'signAndSendAllTransactions',
    ]),
    passkeys: deferred(callsTo('passkeys'), ['manage', 'rename']),
  } satisfies Partial<Omit<Kit, 'crossApp'>> & { crossApp: CrossAppRequests }
}
