import { describe, expect, it } from 'vitest'
import { addWords, createTranslate } from '../../src/copy/copy.ts'
import { password as words } from '../../src/copy/en/password.ts'
import { isPassword, passwordProblem } from '../../src/ui/fields/password-field/rules.ts'
import { scoreOf, strengthOf } from '../../src/ui/fields/password-field/strength.ts'

addWords(words)
const t = createTranslate()
const problem = (password: string) => passwordProblem(password, t)

it.each(['password1', '123456', 'fedcba', 'aaaaaaaa', 'Letmein'])('%s is too easy to guess', (password) => {
  expect(passwordProblem(password, t)).toBe('This password is too easy to guess')
  expect(isPassword(password)).toBe(false)
})

describe('what may be a password', () => {
  it.each(['harbor', 'HARBOR', '184736', '!@#$%^', '&*()-_+', 'harbor-lantern-copper-tide'])('%s', (good) => {
    expect(problem(good)).toBeUndefined()
    expect(isPassword(good)).toBe(true)
  })

  it('has six characters at least', () => {
    expect(problem('abcde')).toBe('Password must be at least 6 characters')
    expect(isPassword('abcde')).toBe(false)
  })

  it('is nothing to complain about while it is empty, and yet none', () => {
    expect(problem('')).toBeUndefined()
    expect(isPassword('')).toBe(false)
  })

  it.each([
    ['kupfer laterne', 'SPACE'],
    ['kupfer  laterne ä ä', 'SPACE ä'],
    ['pass.word~', '. ~'],
    ['\u202Epassword', 'U+202E'],
    ['pass\u200Bword', 'U+200B'],
    ['pass\tword', 'U+0009'],
    ['passwörd👍', 'ö 👍'],
    ['a;<>[]{}|:"', '; < > [ ] { } | …'],
  ])('%j has characters that are named', (typed, named) => {
    expect(problem(typed)).toBe(`Invalid characters used ( ${named} )`)
    expect(isPassword(typed)).toBe(false)
  })
})

describe('how strong a password is', () => {
  it.each([
    ['', 'weak'],
    ['abc', 'weak'],
    ['abcdef', 'weak'],
    ['Abcdef1!', 'weak'],
    ['Copper-lantern7', 'medium'],
    ['harbor-lantern-copper-tide', 'medium'],
    ['Copper-lantern-7-harbor-tide', 'strong'],
  ])('%s is %s', (password, strength) => {
    expect(strengthOf(password)).toBe(strength)
  })

  it('is weak at any length if it is not allowed', () => {
    expect(strengthOf('Copper lantern 7 harbor tide and more')).toBe('weak')
  })

  it('follows the figures of the contract: half variety, which needs eight characters, half entropy', () => {
    expect(scoreOf('aB3-xyz')).toBeCloseTo((7 * Math.log2(75)) / 95 / 2)
    expect(scoreOf('aB3-wxyz')).toBeCloseTo((0.3 + (8 * Math.log2(75)) / 95) / 2)
    expect(scoreOf('aaaaaaaa')).toBeCloseTo((0.1 + (8 * Math.log2(26)) / 95) / 2)
    expect(scoreOf('aaaa1111')).toBeCloseTo((0.2 + (8 * Math.log2(36)) / 95) / 2)
  })

  it('never falls with another character of the same kind', () => {
    for (const kind of ['a', 'aB', 'aB3', 'aB3-'])
      for (let length = 6; length < 40; length++) {
        const password = kind.repeat(20)
        expect(scoreOf(password.slice(0, length + 1))).toBeGreaterThanOrEqual(
          scoreOf(password.slice(0, length)),
        )
      }
  })
})
