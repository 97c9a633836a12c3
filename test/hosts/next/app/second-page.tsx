'use client'
import 'latchkey/define'
import type { WalletFund, WalletSign } from 'latchkey'
import { elementRef } from 'latchkey/elements'
import type {} from 'latchkey/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { apiUrl, appId, vaultUrl } from './settings'

/** Another page of the same app, with elements of its own. */
export function Second() {
  const [user, setUser] = useState('unknown')
  const [signature, setSignature] = useState('')
  const element = useRef<WalletSign>(null)
  const [funded, setFunded] = useState('')
  const funder = useRef<WalletFund>(null)
  const login = useMemo(
    () =>
      elementRef<'login-modal'>({
        'onlk-user': (event) => setUser(event.detail.user?.email?.address ?? 'nobody'),
      }),
    [],
  )
  const give = useMemo(
    () => elementRef<'wallet-sign'>({ 'onlk-signature': (event) => setSignature(event.detail.signature) }),
    [],
  )
  const giveFunds = useMemo(
    () =>
      elementRef<'wallet-fund'>({
        'onlk-fund-status': ({ detail }) => setFunded(`${detail.amount} ${detail.symbol}`),
      }),
    [],
  )
  const fundRef = useCallback(
    (fund: WalletFund | null) => {
      funder.current = fund
      return giveFunds(fund)
    },
    [giveFunds],
  )
  const fund = () =>
    funder.current?.fund({ amount: '0.05' }).catch((cause: { code: string }) => setFunded(cause.code))
  const sign = useCallback(
    (signer: WalletSign | null) => {
      element.current = signer
      return give(signer)
    },
    [give],
  )

  return (
    <main>
      <p id="second-user">{user}</p>
      <login-modal ref={login} app-id={appId} api-url={apiUrl} vault-url={vaultUrl} />
      <wallet-sign ref={sign} app-id={appId} api-url={apiUrl} vault-url={vaultUrl} />
      <button id="sign" type="button" onClick={() => element.current?.sign('Hello').catch(() => {})}>
        Sign
      </button>
      <p id="signature">{signature}</p>
      <wallet-fund
        ref={fundRef}
        app-id={appId}
        api-url={apiUrl}
        vault-url={vaultUrl}
        asset="native-currency"
        chain="eip155:8453"
      />
      <button id="fund" type="button" onClick={fund}>
        Add funds
      </button>
      <p id="funded">{funded}</p>
    </main>
  )
}
