import { expect, it } from 'vitest'
import { color, radius, text } from '../../styles/tokens.ts'

it('reads a colour from the property that the theme sets', () => {
  expect(color('accent')).toBe('var(--_accent)')
})

it('lets the host scale text and radii', () => {
  expect(text('input').fontSize).toBe('calc(16px*var(--lk-text-scale,1))')
  expect(radius(12)).toBe('calc(12px*var(--lk-radius,1))')
})
