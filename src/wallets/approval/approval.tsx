import type { CSSObject } from '@emotion/react'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { panel as size } from '../../../styles/scale.ts'
import { color, hidden, media } from '../../../styles/tokens.ts'
import { defineScreen, type Screen } from '../../dialog/screen.ts'
import type { ApprovalLook } from '../../protocol/frame/approval.ts'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { usePanel } from '../../ui/panel/panel-context.tsx'
import { useWords } from '../../ui/text/words.tsx'
import type { ApprovalPlace } from './approval-frame.ts'

export interface ApprovalProps {
  place: ApprovalPlace
  /** What the dialog is called for those who can't see it. */
  title?: string | undefined
  /** Whether the person may close the dialog. */
  closable?: boolean | undefined
}

const screens = new Map<string, Screen<ApprovalProps, never>>()

/**
 * The vault's own frame in place of a screen of the kit, which it looks like. It takes that screen's id, so that a host sees the
 * same steps, and whatever the kit shows of that screen afterwards follows without a change of screens.
 */
export function approvalScreen(id: string): Screen<ApprovalProps, never> {
  const known =
    screens.get(id) ??
    defineScreen<ApprovalProps, never>(id, { view: Approval, closable: ({ closable = true }) => closable })
  screens.set(id, known)
  return known
}

function Approval({ place, title }: ApprovalProps) {
  const t = useWords()
  const panel = usePanel()
  const room = useRef<HTMLDivElement>(null)
  const close = useRef(panel.close)
  close.current = panel.close
  const height = useSyncExternalStore(place.height.subscribe, place.height.get)
  const shown = height !== undefined
  const { fill } = panel
  useLayoutEffect(() => {
    fill?.(height)
    return () => fill?.(undefined)
  }, [fill, height])
  useEffect(() => {
    const into = room.current
    if (!into) return
    const look = () => lookOf(into, close.current !== undefined)
    const leave = place.mount(into, look(), (by) => close.current?.(by))
    const drawers = matchMedia(`(max-width:${size.drawerUpTo}px)`)
    const dark = matchMedia('(prefers-color-scheme:dark)')
    const restyle = () => place.restyle(look())
    for (const media of [drawers, dark]) media.addEventListener('change', restyle)
    return () => {
      for (const media of [drawers, dark]) media.removeEventListener('change', restyle)
      leave()
    }
  }, [place])
  useEffect(() => {
    if (shown) room.current?.querySelector('iframe')?.focus()
  }, [shown])
  return (
    <>
      <h2 id={panel.titleId} css={hidden} data-heading tabIndex={-1}>
        {title ?? t('approval.frame')}
      </h2>
      {!shown && (
        <div css={waiting} role="img" aria-label={t('approval.loading')}>
          <Spinner size={40} />
        </div>
      )}
      <div ref={room} css={[all, belowHandle, !shown && { visibility: 'hidden' }]} />
    </>
  )
}

/** The frame knows none of this page's styles, so it gets the few values from which ours are made. */
function lookOf(place: HTMLElement, closable: boolean): ApprovalLook {
  const style = getComputedStyle(place)
  const number = (name: string) => {
    const value = Number.parseFloat(style.getPropertyValue(name))
    return Number.isFinite(value) && value >= 0 && value <= 4 ? value : 1
  }
  const accent = accentOf(place)
  return {
    theme: style.colorScheme.includes('dark') ? 'dark' : 'light',
    ...(accent && { accent }),
    dir: style.direction === 'rtl' ? 'rtl' : 'ltr',
    textScale: Math.max(0.5, number('--lk-text-scale')),
    radius: number('--lk-radius'),
    drawer: matchMedia(`(max-width:${size.drawerUpTo}px)`).matches && place.closest('dialog') !== null,
    closable: closable && place.closest('dialog') !== null,
  }
}

/** The accent that applies here as six hex digits, whatever the page has written. */
function accentOf(place: HTMLElement): string | undefined {
  const probe = document.createElement('span')
  probe.style.color = color('accent')
  place.append(probe)
  const rgb = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(getComputedStyle(probe).color)
  probe.remove()
  return rgb
    ? `#${rgb
        .slice(1)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`
    : undefined
}

const all: CSSObject = { position: 'absolute', inset: 0 }
/** What is over a frame makes it refuse presses, so it leaves the drawer's handle free. */
const belowHandle: CSSObject = { [media.drawer]: { 'dialog &': { insetBlockStart: size.handle } } }
const waiting: CSSObject = { ...all, display: 'grid', placeItems: 'center' }
