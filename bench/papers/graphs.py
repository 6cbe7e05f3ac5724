"""The graphs of the papers and their surrogates: description of a generator and shape.

The files of the papers are not fetched; the surrogate of each is the generated graph whose kind, n, m and
degrees are closest. Graphs of the suite `bfs` (cli/bench/suites.c) have the name of their case
there.
"""

UNDIRECTED = ("--undirected", "--simple")
SIMPLE = ("--simple",)
AS_MADE = ()


class Surrogate:
    """The surrogate for one graph of a paper."""

    def __init__(self, original, description, shape=AS_MADE, weights=None, height=0):
        self.original, self.description, self.shape = original, description, shape
        self.weights, self.height = weights, height  # height: maximum of the potentials, which make some weights negative

    def weighted(self, weights="random:1,255", height=0):
        return Surrogate(self.original, self.description, self.shape, weights, height)


def square(side):
    return f"grid2d:rows={side},cols={side},keep=0.7,seed=1"


# label of the paper: side of the grid
UIUC_REGULAR = {"1M": 1000, "2M": 1414, "5M": 2236, "7M": 2646, "9M": 3000, "10M": 3162}
UIUC_ROADS = {"New York": 514, "Florida": 1035, "USA-East": 1897, "USA-West": 2502}
UIUC_SCALE_FREE = {"1M": 1000000, "5M": 5000000, "10M": 10000000}

RMAT_TALK = "rmat:scale=22,edges=5400000,n=2394385,seed=1"
# few vertices point to many, as in wiki-talk: maximum out-degree, deviation and the share without any
RMAT_FAN_OUT = "rmat:scale=22,edges=5400000,n=2394385,a=0.54,b=0.29,c=0.11,d=0.06,seed=1"
RMAT_SKITTER = "rmat:n=1696415,edges=11100000,directed=0,seed=1"
UNIFORM_2M = "uniform:n=2000000,edges=128000000,directed=1,seed=1"

# BFS-4K's Table 1 -> case of the suite `bfs`, its description and shape, for `fringe info`
BFS4K = [
    ("amazon0505", "copurchase", "rmat:n=410236,edges=3500000,a=0.45,b=0.22,c=0.22,seed=1", SIMPLE),
    ("web-Google", "web-0.9M", "rmat:n=916428,edges=5300000,a=0.5,b=0.2,c=0.2,seed=1", SIMPLE),
    ("com-youtube", "youtube-like", "rmat:n=1134890,edges=2990000,directed=0,seed=1", UNDIRECTED),
    ("as-skitter", "skitter-like", RMAT_SKITTER, UNDIRECTED),
    ("roadNet-CA", "roads-2M", square(1400), AS_MADE),
    ("soc-LiveJournal1", "lj-like", "rmat:scale=23,edges=72000000,n=4847571,seed=1", SIMPLE),
    ("Gen-ForestFire", "forest-fire", "forest-fire:n=1000000,f=0.35,b=0.32,seed=1", UNDIRECTED),
    ("Gen-SmallWorld", "small-world", "small-world:n=2000000,k=20,p=0.3,seed=1", UNDIRECTED),
    ("europe.osm", "long-roads", "grid2d:rows=8000,cols=600,keep=0.7,seed=1", AS_MADE),
    ("hugebubbles-00020", "flat-mesh", "grid2d:rows=2300,cols=2300,keep=0.9,seed=1", AS_MADE),
    ("nlpkkt160", "kkt-mesh", "grid3d:x=202,y=202,z=202", AS_MADE),
    ("audikw1", "stiff-mesh", "random-geometric:n=900000,degree=81,seed=1", AS_MADE),
    ("cage15", "dna-mesh", "small-world:n=5200000,k=18,p=0.01,seed=1", UNDIRECTED),
    ("kkt_power", "power-mesh", "grid3d:x=128,y=128,z=128,keep=0.95,seed=1", AS_MADE),
    ("coPapersCiteseer", "copapers-like",
     "rmat:n=434102,edges=16000000,a=0.45,b=0.22,c=0.22,directed=0,seed=1", UNDIRECTED),
    ("kron_g500-logn20", "kron20", "kronecker:scale=20,edge_factor=48,seed=1", UNDIRECTED),
    ("random.2Mv.128Me", "uniform-2M", UNIFORM_2M, SIMPLE),
    ("rmat.2Mv.128Me", "rmat-2M",
     "rmat:n=2000000,edges=128000000,a=0.45,b=0.15,c=0.15,d=0.25,seed=1", SIMPLE),
]  # fmt: skip

# the study's Table 1 -> case of the suite `bfs`
STUDY = [
    ("kron_g500-logn21", "kron21"), ("msdoor", "door-mesh"), ("roadNet-CA", "roads-2M"),
    ("soc-orkut", "orkut-like"), ("web-uk-2005", "web-129k"), ("as-caida", "internet-26k"),
    ("com-Youtube", "youtube-like"), ("p2p-Gnutella08", "peers-6k"), ("wiki-Talk", "wiki-like"),
    ("wiki-talk-temporal", "wiki-1M"),
]  # fmt: skip

HBF = [
    Surrogate("asia.osm", "grid2d:rows=8000,cols=600,keep=0.7,seed=1"),
    Surrogate("USA-road-d.CAL", square(1400)),
    Surrogate("delaunay_n20", "grid6:rows=1024,cols=1024"),
    Surrogate("msdoor", "random-geometric:n=415863,degree=47,seed=1"),
    Surrogate("circuit5M_dc", "small-world:n=3500000,k=6,p=0.01,seed=1", UNDIRECTED),
    Surrogate("rmat.3Mv.20Me", "rmat:n=3000000,edges=20000000,a=0.45,b=0.15,c=0.15,d=0.25,seed=1", SIMPLE),
    Surrogate("flickr", "rmat:n=820878,edges=9837214,seed=1", SIMPLE),
]
HBF_NEGATIVE = [
    Surrogate("hugetrace-00000", "grid2d:rows=2140,cols=2140,keep=0.75,seed=1"),
    Surrogate("wiki-talk", RMAT_FAN_OUT, SIMPLE),
    Surrogate("as-Skitter", RMAT_SKITTER, UNDIRECTED),
    Surrogate("random.2Mv.128Me", UNIFORM_2M, SIMPLE),
]

# XBFS's Table 1: each edge in both directions, as in the paper. US patents: less skewed than the others.
XBFS = [
    Surrogate("DB", "rmat:n=3966924,edges=13820853,directed=0,seed=1", UNDIRECTED),
    Surrogate("DP", "rmat:n=4000150,edges=8649016,directed=0,seed=1", UNDIRECTED),
    Surrogate("EW", "rmat:n=21504191,edges=266769613,directed=0,seed=1", UNDIRECTED),
    Surrogate("FR", "rmat:n=65608357,edges=710869285,directed=0,seed=1", UNDIRECTED),
    Surrogate("LJ", "rmat:n=4036538,edges=34681190,directed=0,seed=1", UNDIRECTED),
    Surrogate("OR", "rmat:n=3072626,edges=117185083,a=0.48,b=0.2,c=0.2,directed=0,seed=1", UNDIRECTED),
    Surrogate("TR", "rmat:n=27665730,edges=140613762,directed=0,seed=1", UNDIRECTED),
    Surrogate("US", "rmat:n=3774768,edges=16518947,a=0.45,b=0.22,c=0.22,directed=0,seed=1", UNDIRECTED),
    Surrogate("WK", "rmat:n=18268992,edges=172183984,directed=0,seed=1", UNDIRECTED),
    Surrogate("WL", "rmat:n=12150976,edges=378142420,directed=0,seed=1", UNDIRECTED),
]
XBFS_NAMES = {
    "DB": "DBpedia", "DP": "DBLP-author", "EW": "EnWiki", "FR": "Friendster", "LJ": "LiveJournal",
    "OR": "Orkut", "TR": "Trackers", "US": "USpatent", "WK": "Wiki-dbpedia", "WL": "Wiki-link",
}  # fmt: skip
XBFS_PARTS = ("LJ", "DB", "OR", "US", "DP")  # the graphs of Figs. 11 to 15


def by_name(surrogates, original):
    return next(surrogate for surrogate in surrogates if surrogate.original == original)
