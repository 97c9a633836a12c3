import type { CSSObject } from '@emotion/react'
import { useEffect, useRef, useState } from 'react'
import { edge } from '../../../../styles/edge.ts'
import { color, focusRing, isolated, mono, radius, text } from '../../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { systemClock } from '../../../lib/clock.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { IconButton } from '../../../ui/actions/icon-button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { copy } from '../../../ui/icons/notices.ts'
import { Content } from '../../../ui/layout/content.tsx'
import { Body, Footer, Note } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { AddressCard } from '../../../ui/wallet/address-card.tsx'
import { createClipboard } from '../../export/clipboard.ts'
import type { What } from '../../export/secret.ts'
import { wipeAtEnd } from '../window/wipe-at-end.ts'

export interface Secret {
  what: What
  text: string
}
export interface ShowKeyProps {
  address: string
  /** The derivation path; `undefined` for an imported key. */
  path: string | undefined
  /** Whether there is a recovery phrase to be had. */
  phrase: boolean
  state: 'loading' | 'ready'
  /** What can be seen now. */
  shown?: Secret
  /** What the press before was to copy. */
  copied?: Secret
  /** It was hidden again. */
  hidden?: boolean
  /** It could not be put together. */
  error?: boolean
}
export type ShowKeyAnswer = { show: What } | { copy: What } | 'taken' | 'hide' | 'close'

/** Where a person takes a wallet's key along, in the vault's own window. */
export const showKey = defineScreen<ShowKeyProps, ShowKeyAnswer>('show-key', {
  view: ShowKey,
  closable: false,
})

type Status = 'shown' | 'hidden' | 'copied' | 'notCopied' | 'cleared' | 'notCleared'

function ShowKey(props: ShowKeyProps & Answering<ShowKeyAnswer>) {
  const { address, path, phrase, state, hidden, error, busy, answer } = props
  const t = useWords()
  const [status, say] = useState<Status>()
  const take = useTaking(props, say)
  const shown = useInSight(props)
  const hides = hidden && !shown
  useEffect(() => {
    if (hides) say('hidden')
  }, [hides])
  useEffect(() => {
    if (shown) say('shown')
  }, [shown])
  const words = status && t(`showKey.${status}`)
  const problem = error ? t('showKey.failed') : undefined
  useAnnounced(words)
  useAnnounced(problem, 'alert')
  const off = busy !== undefined || state === 'loading'
  const part = (what: What) => (
    <Part
      what={what}
      off={off}
      busy={busy}
      status={status}
      answer={answer}
      take={take}
      text={shown?.what === what ? shown.text : undefined}
      key={what}
    />
  )
  return (
    <>
      <Body title={t('showKey.title')} subtitle={t('showKey.text')}>
        <Content gap={12}>
          <AddressCard address={address} />
          <Banner tone="warning">{t('showKey.warning')}</Banner>
          {state === 'loading' ? (
            <div css={waiting} role="img" aria-label={t('showKey.loading')}>
              <Skeleton height={48} round={12} />
              {phrase && <Skeleton height={48} round={12} />}
            </div>
          ) : (
            <>
              {part('key')}
              {phrase && part('phrase')}
              <Note>{t('showKey.copyNote')}</Note>
            </>
          )}
          {!shown && (
            <Note>{path === undefined ? t('showKey.importedNote') : t('showKey.phraseNote', { path })}</Note>
          )}
        </Content>
      </Body>
      <Footer>
        {problem ? (
          <Banner tone="danger">{problem}</Banner>
        ) : (
          words &&
          // What is shown needs the room.
          (status === 'shown' ? <Note>{words}</Note> : <Banner tone={tones[status]}>{words}</Banner>)
        )}
        <Button kind="secondary" busy={busy === 'close'} disabled={off} onClick={() => answer('close')}>
          {t('showKey.done')}
        </Button>
      </Footer>
    </>
  )
}

const tones = {
  hidden: 'info',
  copied: 'success',
  cleared: 'success',
  notCopied: 'warning',
  notCleared: 'warning',
} as const satisfies Record<Exclude<Status, 'shown'>, string>

/** Copies what is still to be fetched, so that the browser counts it to the press. */
function useTaking(
  { copied, busy, answer }: ShowKeyProps & Answering<ShowKeyAnswer>,
  say: (status: Status) => void,
): (what: What) => void {
  const [clipboard] = useState(() =>
    createClipboard(window, systemClock, (done) => say(done ? 'cleared' : 'notCleared')),
  )
  const waiting = useRef<PromiseWithResolvers<string>>(undefined)
  const answering = useRef(answer)
  answering.current = answer
  useEffect(() => wipeAtEnd(clipboard.empty), [clipboard])
  useEffect(() => {
    // Asked again without what was to be copied, which could not be obtained.
    void answer
    if (busy !== undefined) return
    if (copied) waiting.current?.resolve(copied.text)
    else waiting.current?.reject(new Error('There is nothing to copy'))
    waiting.current = undefined
  }, [copied, busy, answer])
  return (what) => {
    waiting.current?.reject(new Error('Another copy was asked for'))
    const text = withResolvers<string>()
    waiting.current = text
    answer({ copy: what })
    clipboard.copy(text.promise).then(
      (done) => {
        say(done ? 'copied' : 'notCopied')
        answering.current('taken')
      },
      () => {},
    )
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(cause: unknown): void
}
function withResolvers<T>(): PromiseWithResolvers<T> {
  let settle: Omit<PromiseWithResolvers<T>, 'promise'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, resolve: (value) => settle?.resolve(value), reject: (cause) => settle?.reject(cause) }
}

/** What can be seen: nothing once the person has turned to something else. */
function useInSight({ shown, answer }: ShowKeyProps & Answering<ShowKeyAnswer>): Secret | undefined {
  const [left, setLeft] = useState<Secret>()
  const answering = useRef(answer)
  answering.current = answer
  useEffect(() => {
    if (!shown) return
    const over = new AbortController()
    const { signal } = over
    const hide = () => {
      setLeft(shown)
      answering.current('hide')
    }
    addEventListener('blur', hide, { signal })
    addEventListener('pagehide', hide, { signal })
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState === 'hidden') hide()
      },
      { signal },
    )
    return () => over.abort()
  }, [shown])
  return shown === left ? undefined : shown
}

interface PartProps {
  what: What
  status: Status | undefined
  text: string | undefined
  off: boolean
  busy: ShowKeyAnswer | undefined
  answer(answer: ShowKeyAnswer): void
  take(what: What): void
}

/** The key or the phrase: shown or not, and copied. */
function Part({ what, text: secret, off, busy, status, answer, take }: PartProps) {
  const t = useWords()
  const name = t(`showKey.${what}.name`)
  const place = useRef<HTMLDivElement>(null)
  const isShown = secret !== undefined
  // On a low screen it would begin behind the footer, which grows with what is said about it.
  useEffect(() => {
    void status
    if (isShown) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown, status])
  const showing = typeof busy === 'object' && 'show' in busy && busy.show === what
  return (
    <div css={part}>
      <div css={row}>
        <Button
          kind={what === 'key' ? 'primary' : 'secondary'}
          busy={showing}
          disabled={off && !showing}
          onClick={() => answer(isShown ? 'hide' : { show: what })}
        >
          {t(`showKey.${what}.${isShown ? 'hide' : 'show'}`)}
        </Button>
        <IconButton icon={copy} name={t(`showKey.${what}.copy`)} disabled={off} onClick={() => take(what)} />
      </div>
      {isShown && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is shown has to be reached by keyboard to be read and selected
        <div ref={place} css={well} role="group" aria-label={name} tabIndex={0}>
          {what === 'key' ? (
            <code css={whole}>{secret}</code>
          ) : (
            <ol css={list}>
              {secret.split(' ').map((word, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice, and its place is what it is known by
                <li key={i}>{word}</li>
              ))}
            </ol>
          )}
        </div>
      )}
    </div>
  )
}

const part: CSSObject = { display: 'flex', flexDirection: 'column', gap: 8 }
const row: CSSObject = { display: 'grid', gridTemplateColumns: '1fr auto', alignItems: 'center', gap: 8 }
const waiting: CSSObject = { display: 'flex', flexDirection: 'column', gap: 12 }
const well: CSSObject = {
  ...text('body'),
  ...isolated,
  padding: 11,
  border: edge,
  borderRadius: radius(12),
  background: color('surface-sunken'),
  color: color('text'),
  fontFamily: mono,
  overflowWrap: 'anywhere',
  ...focusRing(),
}
const whole: CSSObject = { font: 'inherit', userSelect: 'all' }
const list: CSSObject = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill,minmax(112px,1fr))',
  gap: '4px 12px',
  margin: 0,
  paddingInlineStart: 32,
}
