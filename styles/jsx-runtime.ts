/**
 * What JSX becomes here (`jsxImportSource` in tsconfig.json): elements of React and, before one with a `css` prop, its
 * rules in the sheet of the shadow root around it. The prop is Emotion's, and so is the text that comes of it. Emotion's
 * own runtime would bring a CSS compiler along that takes nested rules apart; browsers read them as they are.
 */
import type { CSSObject, SerializedStyles } from '@emotion/react'
import type { JSX } from '@emotion/react/jsx-runtime'
import { serializeStyles } from '@emotion/serialize'
import { createContext, type ElementType, Fragment, type Key, use, useInsertionEffect } from 'react'
import * as react from 'react/jsx-runtime'
import { classOf, type RootSheet } from './sheet.ts'

export type { JSX }
export { Fragment }

/** Where the rules of the elements below go. */
export const SheetContext = createContext<RootSheet | undefined>(undefined)

type Make = typeof react.jsx
export const jsx: Make = (type, props, key) => styled(react.jsx, type, props as Props, key)
export const jsxs: Make = (type, props, key) => styled(react.jsxs, type, props as Props, key)
/** What compilers write in development, with a flag for which of the two it is. */
export const jsxDEV = (type: ElementType, props: unknown, key: Key | undefined, isStatic: boolean) =>
  (isStatic ? jsxs : jsx)(type, props, key)

interface Props {
  css?: CSSObject
  className?: string
}
function styled(make: Make, type: ElementType, props: Props, key: Key | undefined) {
  if (!('css' in props)) return make(type, props, key)
  const { css, className, ...others } = props
  const styles = serializeStyles([css])
  const classes = className ? `${className} ${classOf(styles)}` : classOf(styles)
  const children = [react.jsx(Rules, { styles }), make(type, { ...others, className: classes })]
  return react.jsxs(Fragment, { children }, key)
}

/** Comes before its element, so that the rules of what is around stand before those of what is inside. */
function Rules({ styles }: { styles: SerializedStyles }) {
  const sheet = use(SheetContext)
  useInsertionEffect(() => sheet?.add(styles))
  return null
}
