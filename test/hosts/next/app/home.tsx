'use client'
import 'latchkey/define'
import type { LoginModal, User } from 'latchkey'
import { elementRef } from 'latchkey/elements'
import type {} from 'latchkey/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { apiUrl, appId, config, vaultUrl } from './settings'

const nameOf = (user: User | null) => user?.email?.address ?? 'nobody'

/** A page with one element from the start, and another that comes when somebody asks for it. */
export function Home() {
  const [user, setUser] = useState('unknown')
  const [late, setLate] = useState('unknown')
  const [heard, setHeard] = useState<readonly string[]>([])
  const [stands, setStands] = useState(true)
  const [lateStands, setLateStands] = useState(false)
  const element = useRef<LoginModal>(null)

  const hear = useCallback((what: string) => setHeard((before) => [...before, what]), [])
  // What React doesn't set while it hydrates a page comes by the ref.
  const give = useMemo(
    () =>
      elementRef<'login-modal'>({
        config,
        'onlk-ready': () => hear('ready'),
        'onlk-user': (event) => setUser(nameOf(event.detail.user)),
        'onlk-login': (event) => hear(`login:${event.detail.loginMethod}`),
        'onlk-close': (event) => hear(`close:${event.detail.completed}`),
      }),
    [hear],
  )
  const ref = useCallback(
    (modal: LoginModal | null) => {
      element.current = modal
      return give(modal)
    },
    [give],
  )

  return (
    <main>
      <p id="user">{user}</p>
      <p id="heard">{heard.join(' ')}</p>
      {/* Inside a paragraph: the element's markup is in its shadow root. */}
      <p>{stands && <login-modal ref={ref} app-id={appId} api-url={apiUrl} vault-url={vaultUrl} />}</p>
      <button id="log-in" type="button" onClick={() => element.current?.login().catch(() => {})}>
        Log in
      </button>
      <button id="log-out" type="button" onClick={() => void element.current?.logout()}>
        Log out
      </button>
      <button id="toggle" type="button" onClick={() => setStands(!stands)}>
        {stands ? 'Remove' : 'Put back'}
      </button>
      <button id="show-late" type="button" onClick={() => setLateStands(!lateStands)}>
        Another one
      </button>
      {lateStands && (
        <login-modal
          app-id={appId}
          api-url={apiUrl}
          vault-url={vaultUrl}
          config={config}
          onlk-user={(event) => setLate(nameOf(event.detail.user))}
        />
      )}
      <p id="late">{late}</p>
    </main>
  )
}
