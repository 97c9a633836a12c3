/** Names of chains and of what their fees are paid in, for chains that descriptors name. A provider's own come before these. */
import type { ChainInfo, DataProvider } from './data.ts'

/** Names as in the list of EIP-155 chain ids. Without a symbol it is ETH; all have 18 decimals but where a number follows. */
const table = `
1 Ethereum Mainnet|10 OP Mainnet|14 Flare Mainnet,FLR|19 Songbird Canary-Network,SGB|25 Cronos Mainnet,CRO
30 Rootstock Mainnet,RBTC|40 Telos EVM Mainnet,TLOS|42 LUKSO Mainnet,LYX|50 XDC Network,XDC|56 BNB Smart Chain Mainnet,BNB
61 Ethereum Classic,ETC|82 Meter Mainnet,MTR|88 Viction,VIC|97 BNB Smart Chain Testnet,tBNB|100 Gnosis,xDAI
106 Velas EVM Mainnet,VLX|108 ThunderCore Mainnet,TT|114 Flare Testnet Coston2,C2FLR|122 Fuse Mainnet,FUSE|130 Unichain
137 Polygon Mainnet,POL|143 Monad,MON|146 Sonic Mainnet,S|169 Manta Pacific Mainnet|185 Mint Mainnet|196 X Layer Mainnet,OKB
199 BitTorrent Chain Mainnet,BTT|204 opBNB Mainnet,BNB|232 Lens,GHO|239 TAC Mainnet,TAC|250 Fantom Opera,FTM|252 Fraxtal,FRAX
255 Kroma|288 Boba Network|291 Orderly Mainnet|295 Hedera Mainnet,HBAR|314 Filecoin - Mainnet,FIL|321 KCC Mainnet,KCS
324 zkSync Mainnet|336 Shiden,SDN|360 Shape|369 PulseChain,PLS|388 Cronos zkEVM Mainnet,zkCRO|480 World Chain|592 Astar,ASTR
690 Redstone|747 Flow EVM Mainnet,FLOW|988 Stable Mainnet,USDT0|999 HyperEVM,HYPE|1030 Conflux eSpace,CFX
1088 Metis Andromeda Mainnet,METIS|1101 Polygon zkEVM|1111 WEMIX3.0 Mainnet,WEMIX|1116 Core Blockchain Mainnet,CORE|1135 Lisk
1284 Moonbeam,GLMR|1285 Moonriver,MOVR|1329 Sei Network,SEI|1480 Vana,VANA|1514 Story,IP|1625 Gravity Alpha Mainnet,G
1776 Injective,INJ|1868 Soneium|1890 LightLink Phoenix Mainnet|1923 Swellchain|2020 Ronin,RON|2040 Vanar Mainnet,VANRY
2222 Kava,KAVA|2741 Abstract|2818 Morph|3338 peaq,PEAQ|4114 Citrea Mainnet,cBTC|4153 RISE|4158 CrossFi Mainnet,XFI
4200 Merlin Mainnet,BTC|4326 MegaETH|4663 Robinhood Chain|5000 Mantle,MNT|5031 Somnia Mainnet,SOMI|5042 Arc,USDC|5330 Superseed
6900 Nibiru,NIBI|7000 ZetaChain Mainnet,ZETA|7560 Cyber Mainnet|7700 Canto,CANTO|8217 Kaia Mainnet,KAIA|8453 Base|9001 Evmos,EVMOS
9745 Plasma Mainnet,XPL|10143 Monad Testnet,MON|10200 Gnosis Chiado Testnet,xDAI|13371 Immutable zkEVM,IMX|16661 0G Mainnet,0G
17000 Holesky|23294 Oasis Sapphire,ROSE|33139 ApeChain,APE|34443 Mode|38833 Igra Network,iKAS|42161 Arbitrum One|42170 Arbitrum Nova
42220 Celo Mainnet,CELO|42793 Etherlink Mainnet,XTZ|43111 Hemi|43113 Avalanche Fuji Testnet,AVAX|43114 Avalanche C-Chain,AVAX
44787 Celo Alfajores Testnet,CELO|48900 Zircuit Mainnet|50104 Sophon,SOPH|53935 DFK Chain,JEWEL|55244 Superposition|57073 Ink
59141 Linea Sepolia|59144 Linea|60808 BOB|80001 Mumbai,MATIC|80002 Amoy,POL|80069 Berachain Bepolia,BERA|80094 Berachain,BERA
81457 Blast|84532 Base Sepolia Testnet|88888 Chiliz Chain Mainnet,CHZ|98866 Plume Mainnet,PLUME|111188 re.al,reETH
167000 Taiko Alethia|200901 Bitlayer Mainnet,BTC|314159 Filecoin - Calibration testnet,tFIL|421614 Arbitrum Sepolia
534351 Scroll Sepolia Testnet|534352 Scroll|543210 ZERϴ Network|560048 Hoodi|660279 Xai Mainnet,XAI|747474 Katana
1440000 XRPL EVM,XRP|5734951 Jovay Mainnet|7777777 Zora|11142220 Celo Sepolia Testnet,CELO|11155111 Sepolia|11155420 OP Sepolia Testnet
21000000 Corn,BTCN|728126428 Tron,TRX,6|888888888 Ancient8|999999999 Zora Sepolia|1313161554 Aurora Mainnet|1666600000 Harmony Mainnet Shard 0,ONE
`

let chains: ReadonlyMap<number, ChainInfo> | undefined
function loadChains(): ReadonlyMap<number, ChainInfo> {
  chains ??= new Map(
    table
      .trim()
      .split(/[|\n]/)
      .map((entry) => {
        const space = entry.indexOf(' ')
        const [name = '', symbol = 'ETH', decimals = '18'] = entry.slice(space + 1).split(',')
        return [
          Number(entry.slice(0, space)),
          { name, nativeCurrency: { symbol, decimals: Number(decimals) } },
        ]
      }),
  )
  return chains
}

/** The name and the native currency of a chain. */
export const getChainInfo = (chainId: number, data: DataProvider): ChainInfo | undefined =>
  data.chain?.(chainId) ?? loadChains().get(chainId)
