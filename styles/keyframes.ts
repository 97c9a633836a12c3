import { keyframes } from '@emotion/react'

export { keyframes }

export const fadeIn = keyframes({ from: { opacity: 0 } })
export const fadeOut = keyframes({ to: { opacity: 0 } })
