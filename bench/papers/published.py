"""The published figures, typed from the papers; a comment names each table. In ms unless noted."""

# UIUC-BFS (Luo, Wong, Hwu, DAC 2010), GTX 280 and an Opteron of 2.4 GHz: IIIT-BFS, CPU-BFS, UIUC-BFS
UIUC = {
    "t1": {  # Table 1, regular graphs
        "1M": (462.8, 146.7, 67.8), "2M": (1129.2, 311.8, 121.0), "5M": (4092.2, 1402.2, 266.0),
        "7M": (6597.5, 2831.4, 509.5), "9M": (9170.1, 4388.3, 449.3), "10M": (11019.8, 5023.0, 488.0),
    },
    "t2": {  # Table 2, road networks
        "New York": (79.9, 41.6, 19.4), "Florida": (372.0, 120.7, 61.7),
        "USA-East": (1471.1, 581.4, 158.5), "USA-West": (2579.4, 1323.0, 236.6),
    },
    "t3": {  # Table 3, scale-free
        "1M": (161.5, 52.8, 100.7), "5M": (1015.4, 284.0, 302.0), "10M": (2252.8, 506.9, 483.6),
    },
}  # fmt: skip

# BFS-4K (Busato, Bombieri, TPDS 2015), Table 1: V and E in millions, diameter, mean degree, deviation,
# "mode" (by its values the maximum degree)
BFS4K_TABLE1 = {
    "amazon0505": (0.4, 3.4, 40, 8.2, 3.1, 10), "web-Google": (0.9, 5.1, 34, 5.6, 6.5, 456),
    "com-youtube": (1.2, 6.0, 24, 5.2, 50.2, 28754), "as-skitter": (1.7, 22.2, 31, 12.1, 136.9, 35455),
    "roadNet-CA": (2.0, 5.5, 865, 2.8, 1.0, 12), "soc-LiveJournal1": (4.8, 69.0, 19, 14.2, 36.1, 20293),
    "Gen-ForestFire": (1.0, 7.3, 19, 7.3, 38.3, 2416), "Gen-SmallWorld": (2.0, 40.0, 7, 20.0, 2.3, 32),
    "europe.osm": (50.9, 108.1, 30102, 2.1, 0.5, 13), "hugebubbles-00020": (21.2, 63.6, 7905, 3.0, 0.0, 3),
    "nlpkkt160": (8.3, 221.2, 162, 26.5, 2.7, 27), "audikw1": (0.9, 76.7, 81, 81.3, 42.4, 344),
    "cage15": (5.2, 94.0, 56, 18.2, 5.7, 46), "kkt_power": (2.1, 13.0, 49, 6.3, 7.5, 95),
    "coPapersCiteseer": (0.4, 32.1, 34, 73.9, 101.3, 1188),
    "kron_g500-logn20": (1.0, 100.7, 7, 96.0, 1033.2, 413378),
    "random.2Mv.128Me": (2.0, 128.0, 5, 64.0, 10.6, 183), "rmat.2Mv.128Me": (2.0, 128.0, 5, 64.0, 136.8, 8785),
}  # fmt: skip

# BFS-4K, Table 2, GTX 780: Harish [4], edge parallel [7], static virtual warp [5] and its width,
# Luo [15], Garland [16], BFS-4K; words where there is no time
TIME, MEMORY, NONE = "out of time", "out of memory", "-"
BFS4K_TABLE2 = {
    "amazon0505": (5.2, 7.2, (5.2, 1), 4.3, NONE, 1.5), "web-Google": (12.0, 9.2, (12.0, 1), 7.3, NONE, 1.6),
    "com-youtube": (57.0, 5.5, (19.0, 4), TIME, NONE, 3.1), "as-skitter": (95.0, 24.0, (28.0, 4), TIME, NONE, 6.5),
    "roadNet-CA": (120.7, 154.4, (120.7, 1), 20.2, NONE, 5.5),
    "soc-LiveJournal1": (91.0, 61.0, (52.0, 2), TIME, NONE, 24.4),
    "Gen-ForestFire": (37.0, 5.4, (14.0, 4), TIME, NONE, 2.7),
    "Gen-SmallWorld": (33.0, 27.0, (24.0, 2), TIME, NONE, 15.1),
    "europe.osm": (59620.0, 78422.0, (59620.0, 1), 684.0, 305.0, 264.8),
    "hugebubbles-00020": (8123.0, 11922.0, (8123.0, 1), 220.0, 103.0, 95.9),
    "nlpkkt160": (351.0, 1486.0, (351.0, 1), MEMORY, 80.4, 39.2),
    "audikw1": (68.0, 185.0, (36.0, 4), 54.0, 21.5, 11.1), "cage15": (95.0, 213.0, (95.0, 1), 96.0, 42.2, 28.8),
    "kkt_power": (36.0, 24.5, (36.0, 1), 24.0, 8.8, 8.5),
    "coPapersCiteseer": (21.2, 40.6, (11.4, 4), MEMORY, 8.6, 4.9),
    "kron_g500-logn20": (675.0, 47.4, (67.0, 32), TIME, MEMORY, 34.4),
    "random.2Mv.128Me": (112.0, 73.0, (63.0, 16), TIME, 66.5, 52.0),
    "rmat.2Mv.128Me": (103.0, 62.0, (56.0, 4), TIME, MEMORY, 43.4),
}  # fmt: skip

# H-BF (Busato, Bombieri, TPDS 2016), Table 1: vertices and edges in millions, mean degree, deviation,
# maximum degree, diameter
HBF_TABLE1 = {
    "asia.osm": (12.0, 25.4, 2.1, 0.5, 9, 38576), "USA-road-d.CAL": (1.9, 4.7, 2.5, 0.9, 7, 2575),
    "delaunay_n20": (1.9, 6.3, 6.0, 1.3, 23, 380), "msdoor": (0.415, 20.6, 49.7, 11.7, 78, 167),
    "circuit5M_dc": (3.5, 19.2, 5.4, 2.1, 27, 135), "rmat.3Mv.20Me": (3.0, 20.0, 6.7, 10.2, 521, 15),
    "flickr": (0.82, 9.8, 12.0, 87.7, 10272, 12), "hugetrace-00000": (4.6, 13.8, 3.0, 0.0, 3, 4119),
    "wiki-talk": (2.4, 5.0, 2.1, 99.9, 100022, 9), "as-Skitter": (1.7, 22.2, 13.1, 136.9, 35455, 31),
    "random.2Mv.128Me": (2.0, 128.0, 64.0, 8.0, 114, 5),
}  # fmt: skip

# H-BF, Table 2, GTX 780: (ms, MTEPS) of the queue-based Bellman-Ford on one core, Boost's Dijkstra on
# one core, LoneStar, Workfront Sweep / Near-Far Pile, H-BF
HBF_TABLE2 = {
    "asia.osm": ((32000, 0.8), (5200, 4.9), (280000, 0.1), (12700, 2), (3400, 7.5)),
    "USA-road-d.CAL": ((20600, 0.2), (588, 7.9), (3900, 1.2), (4600, 1), (720, 6.4)),
    "delaunay_n20": ((3200, 2.0), (581, 10.8), (902, 7.0), (420, 15), (105, 60)),
    "msdoor": ((1200, 17.2), (676, 30.6), (1900, 10.8), (206, 100), (36, 570)),
    "circuit5M_dc": ((3200, 6.0), (4100, 4.7), (657, 29.2), (240, 80), (68, 282)),
    "rmat.3Mv.20Me": ((6400, 3.1), (4000, 5.0), (520, 38.5), (133, 150), (99, 201)),
    "flickr": ((887, 11.1), (963, 10.2), (1200, 8.2), (49, 200), (32, 307)),
}

# H-BF, Table 3: what is switched, one core, H-BF without it, with it (ms); wiki-talk: 17 (+2)
HBF_TABLE3 = {
    "hugetrace-00000": ("warp workload", 82000, 4100, 1400), "wiki-talk": ("edge classification", 1000, 65, 19),
    "as-Skitter": ("dynamic parallelism and virtual warps", 2500, 199, 77),
    "random.2Mv.128Me": ("64-bit atomics", 84000, 1445, 760),
}  # fmt: skip

# the 2025 study, RTX 4070: SimpleBFS, QueueBFS, ScanBFS, Scanfused, Scan_WM, Scan_CM
STUDY_TABLE2 = {  # kernel time
    "kron_g500-logn21": (17144.2, 20746.3, 38571.3, 21316.8, 2249.69, 367.089),
    "msdoor": (0.37488, 0.119808, 0.347392, 0.248224, 0.457952, 0.367552),
    "roadNet-CA": (70.3312, 219.964, 136.855, 55.5148, 65.5848, 97.3145),
    "soc-orkut": (29.8281, 1354.49, 102.302, 57.7611, 28.7526, 138.723),
    "web-uk-2005": (2.05197, 10.3867, 8.77875, 4.09763, 3.81114, 21.3515),
    "as-caida": (15.2383, 40.6508, 34.1332, 28.5826, 3.81856, 2.86198),
    "com-Youtube": (12.1147, 499.67, 27.0602, 19.3098, 5.75101, 13.3751),
    "p2p-Gnutella08": (0.982016, 1.79917, 1.86675, 0.843616, 0.691552, 1.5968),
    "wiki-Talk": (35.4796, 743.981, 84.3735, 60.8229, 15.4551, 43.7454),
    "wiki-talk-temporal": (448.514, 1437.08, 1007.98, 765.706, 94.5894, 36.1944),
}
STUDY_TABLE3 = {  # end to end
    "kron_g500-logn21": (17159.5, 20758.7, 38579.0, 21332.7, 2262.74, 375.816),
    "msdoor": (5.0819, 2.5250, 2.3767, 3.9927, 3.1844, 3.4058),
    "roadNet-CA": (81.6281, 229.8660, 145.0410, 62.1320, 72.8931, 105.2880),
    "soc-orkut": (45.3027, 1368.3, 115.1190, 74.9294, 44.0812, 150.3970),
    "web-uk-2005": (5.7946, 12.4362, 10.9595, 5.9936, 5.3537, 22.9829),
    "as-caida": (18.7561, 41.7467, 35.4949, 30.5434, 4.4495, 3.3841),
    "com-Youtube": (21.9658, 507.7740, 35.4213, 27.2862, 12.5332, 18.4332),
    "p2p-Gnutella08": (5.1445, 2.3856, 2.4377, 1.7030, 1.1825, 2.0652),
    "wiki-Talk": (50.0429, 754.6200, 100.5190, 76.8103, 27.8521, 58.3836),
    "wiki-talk-temporal": (459.2720, 1444.37, 1013.95, 774.5360, 102.6870, 43.3535),
}
STUDY_TABLE4 = {  # Gunrock kernel, end to end; GSWITCH kernel, end to end
    "kron_g500-logn21": (23.28, 74159.2, 8.34, 29547.2),
    "msdoor": (28.48, 12193.4, 15.9, 6197.52),
    "roadNet-CA": (108.33, 1792.32, 82.69, 1785.65),
    "soc-orkut": (30.57, 90254.7, 8.59, 47196.9),
    "web-uk-2005": (4.37, 6685.15, 6.52, 4428.43),
}

# the study, Table 1: vertices and edges as printed, domain
STUDY_TABLE1 = {
    "soc-orkut": ("3M", "212.7M", "SN"), "web-uk-2005": ("129K", "23M", "WG"),
    "kron_g500-logn21": ("2.1M", "182.1M", "GG"), "roadNet-CA": ("1.9M", "5.5M", "RN"),
    "msdoor": ("415K", "19.8M", "SC"), "as-caida": ("26.5K", "106.8K", "CA"),
    "com-Youtube": ("1.13M", "2.99M", "YT"), "p2p-Gnutella08": ("6.3K", "20.8K", "GN"),
    "wiki-Talk": ("2.39M", "5.02M", "WT"), "wiki-talk-temporal": ("1.14M", "3.31M", "WT"),
}  # fmt: skip

# the study, section 4.1 (its Figs. 7 and 8 are screenshots of Nsight Compute that the paper does not give in
# numbers): registers, memory and compute throughput in percent, achieved occupancy
STUDY_PROFILE = {
    "simple": ("22", "mostly below 6 (peak 12.35)", "modest", "often well below 50"),
    "queue": ("22", "up to 12", "often below 1", "often well below 50"),
    "scan": ("-", "-", "-", "rises over the iterations"),
    "scan-fused": ("-", "-", "-", "moderate"),
    "warp-merge": ("26-28", "above 10", "above 2 (peak 4.68)", "near the limit of 66.67"),
    "coalesced-map": ("26-28", "-", "-", "slightly below WM"),
}  # fmt: skip

# XBFS, Table 1: vertices, edges before the reverse of each is added
XBFS_TABLE1 = {
    "DB": (3966924, 13820853), "DP": (4000150, 8649016), "EW": (21504191, 266769613), "FR": (65608357, 710869285),
    "LJ": (4036538, 34681190), "OR": (3072626, 117185083), "TR": (27665730, 140613762), "US": (3774768, 16518947),
    "WK": (18268992, 172183984), "WL": (12150976, 378142420),
}  # fmt: skip

# XBFS, means of the sections that describe the figures
XBFS_FIG5 = {"K80": 5.2, "P6000": 4.1, "Titan Xp": 2.5, "V100": 1.7}  # section 4.1
XBFS_FIG10 = 88  # section 5.2: percent
XBFS_FIG11 = {"Ad": 2.3, "Ad + WB": 3.1, "Ad + WB + Async": 3.5}  # section 6.2
XBFS_FIG12 = {"baseline": 30, "adaptive": 32, "async": 43}  # section 6.2: percent top-down
XBFS_FIG13 = {"scan-free": 18, "single-scan": 15.7, "no queue": 11.4, "double-scan": 54.9}  # 6.3: percent of the gain
XBFS_FIG14 = {"static": 1.4, "warp-centric": 1.6, "thread-centric": 1.6}  # section 6.3
XBFS_FIG15 = 23.2  # section 6.3: percent fewer edge checks (1 to 51)
XBFS_FIG16 = {"K80": 1.0, "P6000": 1.8, "Titan Xp": 2.3, "V100": 4.1}  # section 6.4: speed over the K80
XBFS_MEANS = {"Enterprise": 3.5, "Tigr": 4.9, "Gunrock": 11.2, "Ligra": 6.1}  # Table 2, last row

# XBFS (Gaihre, Wu, Yao, Liu, HPDC 2019), Table 2: XBFS, Enterprise, Tigr and Gunrock on a Quadro P6000; Ligra
# on 24 cores
XBFS_TABLE2 = {
    "DB": (7.9, 30.2, 12.9, 16.4, 54), "DP": (5.3, 14, 8.1, 22.9, 48.2), "EW": (19.6, 88.7, 74.7, 145.0, 71.9),
    "FR": (102.8, 408, 883.9, None, 526.7), "LJ": (6.9, 24, 17.0, 34.9, 29.4), "OR": (2.83, 14.2, 48.7, 154.1, 29.8),
    "TR": (28.1, 101.3, 73.4, 171.2, 95.1), "US": (10.2, 21.2, 17.7, 28.3, 62.6),
    "WK": (21.4, 76.9, 92.1, 168.5, 259.3), "WL": (23.6, 59.5, 120.7, 262.8, 58.3),
}  # fmt: skip
