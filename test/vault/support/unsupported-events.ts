/** Events of the protocol that the vault does not know (docs/protocol.md), and one that a newer page may send. */
export const unsupportedEvents = [
  'privy:farcaster:init-signer',
  'privy:farcaster:sign',
  'privy:delegated-actions:consent',
  'privy:something:new',
]
