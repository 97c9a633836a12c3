import { BlockList, isIP } from 'node:net'
import type { ServerContext } from './services.ts'

/** Reads who asks, and from about where. */
export interface Callers {
  /** A key for limits: an IPv4 address, or the first 64 bits of an IPv6 one. */
  clientIp: (c: ServerContext) => string | undefined
  /** The whole address, for providers that have to be told. */
  callerAddress: (c: ServerContext) => string | undefined
  /** Something that a person may recognise: what a trusted proxy says, or the range of the address. Empty: not known. */
  placeOf: (c: ServerContext) => string
}

/**
 * Makes the functions that tell who asks. `X-Forwarded-For` counts only as far as known proxies vouch for it, from the right: anybody may have written what precedes them.
 * @param trustedProxies addresses or ranges such as `10.0.0.0/8`
 * @param placeHeader in which those proxies say where a caller is, such as `cf-ipcity`
 * @throws Error for a range that cannot be read
 */
export function createCallers(trustedProxies: readonly string[], placeHeader?: string): Callers {
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) throw new Error(`'${range}' is not the address of a proxy`)
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (ip: string) => trusted.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')

  function callerAddress(c: ServerContext): string | undefined {
    const direct = c.env?.incoming?.socket?.remoteAddress
    if (direct === undefined) return undefined
    let ip = plain(direct)
    const named = (c.req.header('x-forwarded-for') ?? '').split(',').map((part) => plain(part.trim()))
    while (isTrusted(ip)) {
      const before = named.pop()
      if (before === undefined || isIP(before) === 0) break
      ip = before
    }
    return ip
  }

  function clientIp(c: ServerContext): string | undefined {
    const ip = callerAddress(c)
    return ip !== undefined && isIP(ip) === 6 ? network(ip) : ip
  }

  function placeOf(c: ServerContext): string {
    const direct = c.env?.incoming?.socket?.remoteAddress
    const said = placeHeader && direct && isTrusted(plain(direct)) ? c.req.header(placeHeader) : undefined
    // It is shown to people and mailed to them.
    const readable = said
      ?.replace(/[^\p{L}\p{N} ,.'()-]/gu, '')
      .trim()
      .slice(0, 80)
    return readable || range(clientIp(c))
  }
  return { clientIp, callerAddress, placeOf }
}

/** Wide enough that an address that changes now and then stays in it. */
function range(ip: string | undefined): string {
  if (ip === undefined) return ''
  if (ip.includes(':')) return `${ip.split(':').slice(0, 3).join(':')}::/48`
  return `${ip.split('.').slice(0, 3).join('.')}.0/24`
}

/** An IPv4 address that came through an IPv6 socket, as itself. */
const plain = (ip: string) => (/^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(ip) ? ip.slice(7) : ip)

/** The first four groups: what one household or server is given. */
function network(ip: string): string {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail ? tail.split(':') : []
  const filled =
    tail === undefined ? groups : [...groups, ...Array(8 - groups.length - rest.length).fill('0'), ...rest]
  return `${filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`
}
