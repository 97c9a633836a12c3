/** Requests to wallets of other apps, and the answers to theirs. */
import type { Surface } from '../../dialog/surface.ts'
import type { RequestAsked } from '../../protocol/cross-app-requests.ts'
import type { ManageOptions } from './accounts.ts'
import type { TransactionRequestInput } from './signing.ts'
import type { TypedDataInput, TypedDataTypes } from './typed-data.ts'

/** Which wallet of another app is asked, and where the wait for it is shown. */
export interface CrossAppRequestOptions {
  /** The wallet's address, as the user's account of the other app has it (`cross_app`, among `user.linkedAccounts`). */
  address: string
  signal?: AbortSignal
  surface?: Surface
}
/** A request of another app, as this app's own server names it. */
export interface CrossAppRequest {
  readonly requester: {
    readonly id: string
    readonly name: string
    readonly iconUrl: string | undefined
    /** The origin of the page that asks. */
    readonly origin: string
  }
  readonly kind: 'message' | 'typed-data' | 'transaction'
  /** Milliseconds since 1970, by the server's clock: the other app no longer waits then. */
  readonly expiresAt: number
}
/** Requests to wallets of other apps, and the answers of an app whose wallets others ask; see {@link Kit.crossApp}. */
export interface CrossAppRequests {
  /**
   * Has the user review a message in the other app, in a window, and resolves with the signature of its wallet (EIP-191). Call it within a
   * click, after `kit.crossApp.prepare()`. Where the other app's token is over, they log in there first.
   *
   * @param message text, which is signed as text also if it looks like hex
   * @param options the address of the wallet, which says the app
   * @returns the signature, 0x-hex
   * @throws KitError `invalid_message`, `must_be_authenticated`, `cross_app_invalid_wallet` for an address that no account of another app
   * has, `cross_app_invalid_app`, `cross_app_read_only`, `cross_app_request_error`, `popup_closed`, `popup_timeout` after two minutes, or
   * `unable_to_sign` when the user rejects it or closes the dialog
   * @example
   * await kit.crossApp.prepare()
   * document.querySelector('#sign')?.addEventListener('click', async () => {
   *   const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
   *   const { signature } = await kit.crossApp.signMessage('Hello', { address })
   *   console.log(signature)
   * })
   */
  signMessage(message: string, options: CrossAppRequestOptions): Promise<{ signature: string }>
  /**
   * Does the same for typed data (EIP-712).
   *
   * @param typedData `{ domain, types, primaryType, message }`
   * @returns the signature, 0x-hex
   * @throws KitError `invalid_request_arguments`, also for typed data that are too long for an address, and what {@link signMessage} throws
   * @example
   * const { signature } = await kit.crossApp.signTypedData(
   *   {
   *     domain: { name: 'Harbor', chainId: 1 },
   *     types: { Vote: [{ name: 'proposal', type: 'uint256' }] },
   *     primaryType: 'Vote',
   *     message: { proposal: 12 },
   *   },
   *   { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
   * )
   */
  signTypedData<const Types extends TypedDataTypes | Record<string, unknown>, const Primary extends string>(
    typedData: TypedDataInput<Types, Primary>,
    options: CrossAppRequestOptions,
  ): Promise<{ signature: string }>
  /**
   * Has the user review a transaction in the other app, which sends it. Resolves as soon as the network has it; a missing `chainId` is this
   * app's default.
   *
   * @returns the hash, 0x-hex
   * @throws KitError as {@link signTypedData} does, but `cross_app_may_be_sent` after two minutes: the user may have approved it, and the
   * network may have it or get it yet. A closed window says `mayBeSent` in its `data` for the same reason.
   * @example
   * const { transactionHash } = await kit.crossApp.sendTransaction(
   *   { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 15n, chainId: 8453 },
   *   { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' },
   * )
   */
  sendTransaction(
    transaction: TransactionRequestInput,
    options: CrossAppRequestOptions,
  ): Promise<{ transactionHash: string }>
  /**
   * For the page of an app whose wallets others ask (its setting `transactUrl`): reads the request that the page was opened with.
   *
   * @param asked `request_id` and `client_id` of the page's address
   * @returns the app that asks, as the server names it, and what kind of request it is
   * @throws KitError `must_be_authenticated`, `cross_app_wrong_user` if the request is for another account of the user, or
   * `cross_app_request_over` if it isn't open, or is another app's
   * @example
   * const query = new URLSearchParams(location.search)
   * const asked = { id: query.get('request_id') ?? '', appId: query.get('client_id') ?? '' }
   * const { requester } = await kit.crossApp.request(asked)
   * document.title = `${requester.name} asks you`
   */
  request(asked: RequestAsked): Promise<CrossAppRequest>
  /**
   * For the same page: has the user review the request as one of this app's own, with the other app as its requester, and carries it out. In
   * strict apps the vault reads from its own server who asks, and for what.
   *
   * @returns the address to go to next, which hands the result to the app that asks; also where the user has rejected it
   * @throws KitError as {@link request} does, and what went wrong, such as `unsupported_chain_id`; the request is still open then
   * @example
   * const query = new URLSearchParams(location.search)
   * const asked = { id: query.get('request_id') ?? '', appId: query.get('client_id') ?? '' }
   * location.assign(await kit.crossApp.respond(asked))
   */
  respond(asked: RequestAsked, options?: ManageOptions): Promise<string>
  /**
   * For the same page: rejects the request without a review.
   *
   * @param options with `disconnect` the other app can't ask again either, until the user logs in there once more
   * @returns the address to go to next
   * @throws KitError as {@link request} does
   * @example
   * const query = new URLSearchParams(location.search)
   * const asked = { id: query.get('request_id') ?? '', appId: query.get('client_id') ?? '' }
   * location.assign(await kit.crossApp.decline(asked, { disconnect: true }))
   */
  decline(asked: RequestAsked, options?: { disconnect?: boolean }): Promise<string>
}
