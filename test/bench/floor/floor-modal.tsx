/** The floor of the landing measurement: the least that React, r2wc and Emotion can show as a login dialog. */
/** @jsxImportSource @emotion/react */
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import r2wc from '@r2wc/react-to-web-component'
import { useEffect, useRef, useState } from 'react'

function Floor({ container }: { container?: Node }) {
  const [cache] = useState(() => createCache({ key: 'floor', container: container as HTMLElement }))
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <CacheProvider value={cache}>
      <dialog ref={dialog} css={{ width: 360, border: 0, borderRadius: 24, padding: 24 }}>
        <h2 css={{ fontSize: 20, margin: 0 }}>Log in or sign up</h2>
        <input
          type="email"
          placeholder="your@email.com"
          css={{ width: '100%', height: 56, '&:focus': { outline: '2px solid' } }}
        />
        <button type="button" css={{ width: '100%', height: 48 }}>
          Submit
        </button>
      </dialog>
    </CacheProvider>
  )
}

customElements.define('floor-modal', r2wc(Floor, { shadow: 'open' }))
