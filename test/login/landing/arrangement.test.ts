import { describe, expect, it } from 'vitest'
import { grouped, ordered } from '../../../src/login/landing/arrangement.ts'

const all = ['email', 'sms', 'google', 'apple', 'twitter', 'discord', 'farcaster']
const set = (config: {
  primary?: string[]
  overflow?: string[]
  methods?: string[]
  wallets?: string[]
  walletsFirst?: boolean
  recent?: string
}) =>
  config.primary
    ? ordered(config.primary, config.overflow ?? [], config.recent)
    : grouped(
        config.methods ?? [],
        config.wallets ?? (config.methods ?? []).filter((method) => method === 'wallet'),
        config.walletsFirst ?? false,
        config.recent,
      )

describe('in the host’s order', () => {
  it('four stand on the landing screen, the rest behind "More options"', () => {
    const { main, more, moreAs } = set({ primary: all.slice(0, 6) })
    expect([main, more, moreAs]).toEqual([all.slice(0, 4), all.slice(4, 6), 'options'])
  })
  it('five stand there when they are exactly five', () => {
    expect(set({ primary: all.slice(0, 5) })).toMatchObject({ main: all.slice(0, 5), more: [] })
  })
  it('of five with an overflow one goes behind', () => {
    const { main, more } = set({ primary: all.slice(0, 5), overflow: ['discord'] })
    expect([main, more]).toEqual([all.slice(0, 4), ['twitter', 'discord']])
  })
  it('the one used last comes first, also out of the overflow', () => {
    const { main, more } = set({ primary: ['email', 'sms'], overflow: ['google'], recent: 'google' })
    expect([main, more]).toEqual([['google', 'email', 'sms'], []])
  })
  it('one that is named twice stands there once', () => {
    const { main } = set({ primary: ['email', 'email'], overflow: ['email'] })
    expect(main).toEqual(['email'])
  })
})

describe('in groups, where the host gives no order', () => {
  it('five stand there, with no way to more', () => {
    expect(set({ methods: all.slice(0, 5) })).toEqual({
      main: all.slice(0, 5),
      more: [],
      moreAs: 'socials',
    })
  })
  it('of more than five, four stand above the row "Other socials"', () => {
    const { main, more } = set({ methods: all })
    expect([main, more]).toEqual([[...all.slice(0, 4), 'more'], all.slice(4)])
  })
  it('the wallets’ row takes one of the five places, below or on top', () => {
    const methods = [...all, 'wallet']
    expect(set({ methods }).main).toEqual(['email', 'sms', 'google', 'more', 'wallet'])
    expect(set({ methods, walletsFirst: true }).main).toEqual(['wallet', 'email', 'sms', 'google', 'more'])
    expect(set({ methods }).more).toEqual(all.slice(3))
  })
  it('wallets that come first by their names take their places from the others', () => {
    const wallets = ['metamask', 'rainbow', 'wallet']
    const { main } = set({ methods: [...all, 'wallet'], wallets, walletsFirst: true })
    expect(main).toEqual([...wallets, 'email', 'more'])
  })
  it('the one used last comes first', () => {
    expect(set({ methods: all, recent: 'farcaster' }).main[0]).toBe('farcaster')
  })
})
