import { readSiweMessage } from '../../../demo/backend/login/siwe/message.ts'
import { read, type Suite, same } from './suite.ts'

type Fields = Readonly<Record<string, unknown>>

/** Sign-In-With-Ethereum messages, as the backend reads them. */
export const siwe: Suite = {
  name: 'Sign-In-With-Ethereum',
  async run(load) {
    const positive = await read<Record<string, { message: string; fields: Fields }>>(
      load,
      'siwe/parsing_positive.json',
    )
    const negative = await read<Record<string, string>>(load, 'siwe/parsing_negative.json')
    const objects = await read<Record<string, Fields>>(load, 'siwe/parsing_negative_objects.json')

    for (const [name, { message, fields }] of Object.entries(positive)) {
      const said: Fields = { ...(readSiweMessage(message) ?? {}) }
      for (const [field, value] of Object.entries(fields))
        same(JSON.stringify(said[field] ?? null), JSON.stringify(value), `${name}: ${field}`)
      const known = Object.entries(fields).filter(([, value]) => value !== null)
      same(Object.keys(said).length, known.length, `${name}: fields`)
    }
    for (const [name, message] of Object.entries(negative))
      same(readSiweMessage(message), undefined, `text: ${name}`)
    for (const [name, fields] of Object.entries(objects))
      same(readSiweMessage(written(fields)), undefined, `object: ${name}`)
    const counts = [positive, negative, objects].map((cases) => Object.keys(cases).length)
    return `SIWE: ${counts[0]} accepted, ${counts[1]} texts and ${counts[2]} objects refused`
  },
}

/** The text that fields make where nobody looks at them. */
function written(fields: Fields): string {
  const line = (label: string, name: string) =>
    fields[name] === undefined ? [] : [`${label}: ${fields[name]}`]
  const resources = fields.resources as string[] | undefined
  return [
    `${fields.domain ?? ''} wants you to sign in with your Ethereum account:`,
    `${fields.address ?? ''}`,
    '',
    ...(fields.statement === undefined ? [] : [`${fields.statement}`]),
    '',
    ...line('URI', 'uri'),
    ...line('Version', 'version'),
    ...line('Chain ID', 'chainId'),
    ...line('Nonce', 'nonce'),
    ...line('Issued At', 'issuedAt'),
    ...line('Expiration Time', 'expirationTime'),
    ...line('Not Before', 'notBefore'),
    ...line('Request ID', 'requestId'),
    ...(resources ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : []),
  ].join('\n')
}
