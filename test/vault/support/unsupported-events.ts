/** Events of the protocol that the vault does not know (docs/protocol.md), and one that a newer page may send. */
export const unsupportedEvents = ['privy:farcaster:sign-all', 'privy:something:new']
