import type { CSSObject } from '@emotion/react'
import { useEffect, useRef } from 'react'
import { color, radius } from '../../../styles/tokens.ts'

interface OutsideBoxProps {
  /** What a third party draws into. */
  box: HTMLElement | undefined
  /** The slot in which it is shown. */
  slot: string
  /** Keeps room for it, because somebody has to use it. */
  shown: boolean
}

/**
 * A place in the dialog for a third party's box. The box itself is in the page, as a child of the element,
 * because such scripts rarely work in a shadow tree; the dialog shows it through a slot, so that people can
 * use it in a modal one. It is put there once, because a frame that is moved is reloaded.
 */
export function OutsideBox({ box, slot, shown }: OutsideBoxProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box || !place.current) return
    const root = place.current.getRootNode()
    if (root instanceof ShadowRoot) {
      box.slot = slot
      root.host.append(box)
    } else place.current.append(box)
    return () => box.remove()
  }, [box, slot])
  return (
    <div ref={place} css={shown ? room : hidden}>
      <slot name={slot} />
    </div>
  )
}

// Takes no room, but is visible to the script that runs in it.
const hidden: CSSObject = { position: 'absolute' }
const room: CSSObject = {
  display: 'grid',
  placeContent: 'center',
  minHeight: 81,
  paddingBlock: 8,
  borderRadius: radius(12),
  background: color('surface-sunken'),
}
