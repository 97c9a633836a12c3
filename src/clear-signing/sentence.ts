/** Interpolated intents: a sentence with formatted values in it. */

import type { DescribedField } from './description.ts'
import type { Rendered } from './fields.ts'
import { MAX_INTERPOLATED, MAX_LABEL, MAX_SENTENCE } from './limits.ts'
import { parsePath, pathText } from './paths.ts'
import { shortText } from './text.ts'

/**
 * Puts the values of fields that are always displayed in place of `{path}`. `undefined` if a single one fails: a sentence with a gap
 * says something else.
 */
export function interpolate(template: string, rendered: Rendered): string | undefined {
  if (template.length > 4 * MAX_LABEL) return undefined
  let sentence = ''
  for (const [token, path] of template.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    if (token === '{{') sentence += '{'
    else if (token === '}}') sentence += '}'
    else if (token === '{' || token === '}') return undefined
    else if (path === undefined) sentence += shortText(token, 4 * MAX_LABEL)
    else {
      const text = valueText(path.trim(), rendered)
      if (text === undefined) return undefined
      sentence += text
    }
  }
  return sentence.length > MAX_SENTENCE ? undefined : sentence
}

function valueText(text: string, rendered: Rendered): string | undefined {
  const path = parsePath(text)
  if (!path || path.segments.length === 0) return undefined
  const isData = path.root === '' || path.root === '#'
  const fields = rendered.get(isData ? pathText(path.segments) : `${path.root}.${pathText(path.segments)}`)
  if (!fields) return undefined
  const texts = [...fields.values()].map(fieldText)
  if (!texts.every((each) => each !== undefined)) return undefined
  const joined = texts.join(' and ')
  return joined.length > MAX_INTERPOLATED ? undefined : joined
}

/** What a field's value is in a sentence; `undefined` if it could lead on to words that nobody has checked. */
function fieldText({ value, token, warnings }: DescribedField): string | undefined {
  if (typeof value !== 'string') return value.interpolatedIntent ?? value.intent
  const isForged = warnings.some(({ code }) => code === 'hidden-characters')
  // A symbol of several words may go on with the sentence: 'USDC to harbor.eth'.
  return isForged || /\s/.test(token?.symbol.trim() ?? '') ? undefined : value
}
