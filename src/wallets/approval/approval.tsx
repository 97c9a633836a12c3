import type { CSSObject } from '@emotion/react'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { fadeIn } from '../../../styles/keyframes.ts'
import { derivePalette, type TokenName } from '../../../styles/palette.ts'
import { panel as size } from '../../../styles/scale.ts'
import { color, hidden, media, motion } from '../../../styles/tokens.ts'
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
}

const screens = new Map<string, Screen<ApprovalProps, never>>()

/**
 * The vault's own frame in place of a screen of the kit, which it looks like. It takes that screen's id, so that a host sees the
 * same steps, and whatever the kit shows of that screen afterwards follows without a change of screens.
 */
export function approvalScreen(id: string): Screen<ApprovalProps, never> {
  const known =
    screens.get(id) ??
    defineScreen<ApprovalProps, never>(id, {
      view: Approval,
      closable: ({ place }) => !place.isFinishing(),
    })
  screens.set(id, known)
  return known
}

function Approval({ place, title }: ApprovalProps) {
  const t = useWords()
  const panel = usePanel()
  const room = useRef<HTMLDivElement>(null)
  const redraw = useRef(() => {})
  const close = useRef(panel.close)
  close.current = panel.close
  const position = useRef(panel.position)
  position.current = panel.position
  const height = useSyncExternalStore(place.height.subscribe, place.height.get)
  const shown = height !== undefined
  const { fill, keepPrevious } = panel
  useLayoutEffect(() => {
    fill?.(height)
    return () => fill?.(undefined)
  }, [fill, height])
  useLayoutEffect(() => (shown ? undefined : keepPrevious?.()), [keepPrevious, shown])
  useEffect(() => {
    const into = room.current
    if (!into) return
    const look = () => ({
      ...lookOf(into, close.current !== undefined),
      ...(position.current && { position: position.current }),
    })
    const first = look()
    const leave = place.mount(into, first, (by) => close.current?.(by))
    const drawers = matchMedia(`(max-width:${size.drawerUpTo}px)`)
    const dark = matchMedia('(prefers-color-scheme:dark)')
    let last = JSON.stringify(first)
    const restyle = () => {
      const next = look()
      const text = JSON.stringify(next)
      if (text !== last) place.restyle(next)
      last = text
    }
    redraw.current = restyle
    for (const media of [drawers, dark]) media.addEventListener('change', restyle)
    return () => {
      for (const media of [drawers, dark]) media.removeEventListener('change', restyle)
      leave()
    }
  }, [place])
  // The page may change its theme meanwhile.
  useEffect(() => redraw.current())
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

/** The frame knows none of this page's styles, so it gets the values from which ours are made. */
function lookOf(place: HTMLElement, closable: boolean): ApprovalLook {
  const style = getComputedStyle(place)
  const number = (name: string) => {
    const value = Number.parseFloat(style.getPropertyValue(name))
    return Number.isFinite(value) && value >= 0 && value <= 4 ? value : 1
  }
  const colours = coloursOf(place)
  return {
    theme: style.colorScheme.includes('dark') ? 'dark' : 'light',
    ...(colours.accent && { accent: colours.accent }),
    colours,
    fonts: style.fontFamily.split(',').map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2')),
    dir: style.direction === 'rtl' ? 'rtl' : 'ltr',
    textScale: Math.max(0.5, number('--lk-text-scale')),
    radius: number('--lk-radius'),
    drawer: matchMedia(`(max-width:${size.drawerUpTo}px)`).matches && place.closest('dialog') !== null,
    closable: closable && place.closest('dialog') !== null,
  }
}

/** The colours that apply here as six hex digits, whatever the page has written; without those that something shines through. */
function coloursOf(place: HTMLElement): Record<string, string> {
  const probe = document.createElement('span')
  place.append(probe)
  const colours: Record<string, string> = {}
  for (const name of Object.keys(derivePalette('', 'light')) as TokenName[]) {
    probe.style.color = color(name)
    // One form for every way of writing a colour, where the browser knows it.
    probe.style.color = `color-mix(in srgb,${color(name)},${color(name)})`
    const hex = hexOf(getComputedStyle(probe).color)
    if (hex) colours[name] = hex
  }
  probe.remove()
  return colours
}

function hexOf(computed: string): string | undefined {
  const srgb = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)\)$/.exec(computed)?.slice(1)
  const rgb = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(computed)?.slice(1)
  const channels = srgb?.map((share) => Number(share) * 255) ?? rgb?.map(Number)
  const digits = channels?.map((channel) =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0'),
  )
  return digits && `#${digits.join('')}`
}

const all: CSSObject = { position: 'absolute', inset: 0 }
/** What is over a frame makes it refuse presses, so it leaves the drawer's handle free. */
const belowHandle: CSSObject = { [media.drawer]: { 'dialog &': { insetBlockStart: size.handle } } }
const waiting: CSSObject = {
  ...all,
  display: 'grid',
  placeItems: 'center',
  // A prepared frame is there before there is anything to look at.
  animation: `${fadeIn} ${motion.base} 150ms backwards`,
}
