/** The floor of the landing measurement: the least that React, r2wc and Emotion can show as a login dialog. */
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import r2wc from '@r2wc/react-to-web-component'
import { useEffect, useRef, useState } from 'react'

interface Settings {
  name: string
  email_auth: boolean
}

function Floor({ container, settingsUrl }: { container?: ShadowRoot; settingsUrl?: string }) {
  const [cache] = useState(() => container && createCache({ key: 'floor', container }))
  const [settings, setSettings] = useState<Settings>()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (settingsUrl)
      fetch(settingsUrl)
        .then((response) => response.json())
        .then(setSettings)
  }, [settingsUrl])
  useEffect(() => {
    if (settings) dialog.current?.showModal()
  }, [settings])
  if (!cache || !settings) return null
  return (
    <CacheProvider value={cache}>
      <dialog ref={dialog} css={{ width: 360, border: 0, borderRadius: 24, padding: 24 }}>
        <h2 css={{ fontSize: 20, margin: 0 }}>Log in to {settings.name}</h2>
        {settings.email_auth && (
          <input
            type="email"
            placeholder="your@email.com"
            css={{ width: '100%', height: 56, '&:focus': { outline: '2px solid' } }}
          />
        )}
        <button type="button" css={{ width: '100%', height: 48 }}>
          Submit
        </button>
      </dialog>
    </CacheProvider>
  )
}

/** A call, because this package says that importing its sources does nothing, so a bundler would leave it out. */
export function define(): void {
  customElements.define('floor-modal', r2wc(Floor, { shadow: 'open', props: ['settingsUrl'] }))
}
