"""The graphs of the papers and their surrogates: description of a generator, shape, weights.

The files of the papers are not fetched. The surrogate of each is a generated graph with similar numbers of
vertices and edges, diameter, and mean, deviation and maximum of the degrees; the pages print the distance
(facts_table in lines.py). R-MAT's parameters follow from the deviation: with p = a + b and s = log2 n it is
sqrt(mean + mean^2 ((2 p^2 + 2 (1 - p)^2)^s - 1)). The published figures are in published.json.
"""

import hashlib
import json
import os

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "published.json"), encoding="utf-8") as _file:
    PUBLISHED = {table: {name: row for name, row in rows.items() if name != "source"}
                 for table, rows in json.load(_file).items()}  # fmt: skip

UNDIRECTED = ("-u", "-s")  # bench_papers: both directions, without self-loops and parallel edges
SIMPLE = ("-s",)


class Surrogate:
    """The surrogate for one graph of a paper; shape: options of bench_papers."""

    def __init__(self, original, description, shape=(), weights=None):
        self.original, self.description, self.shape, self.weights = original, description, tuple(shape), weights

    def weighted(self, weights="1,255"):
        """weights: LOW,HIGH, and as a third number the maximum of the potentials that make some negative."""
        return Surrogate(self.original, self.description, self.shape, weights)


def square(side):
    return f"grid2d:rows={side},cols={side},keep=0.7,seed=1"


CHAIN = ("-k", "6")  # every edge becomes a path of six, like roads between crossings
LOOPS = ("-l",)  # a self-loop at every vertex

# label of the paper: side of the grid
UIUC_REGULAR = {"1M": 1000, "2M": 1414, "5M": 2236, "7M": 2646, "9M": 3000, "10M": 3162}
UIUC_ROADS = {"New York": 514, "Florida": 1035, "USA-East": 1897, "USA-West": 2502}
UIUC_SCALE_FREE = {"1M": 1000000, "5M": 5000000, "10M": 10000000}

# few vertices point to many, as in wiki-talk: maximum out-degree, deviation and the share without any
RMAT_FAN_OUT = "rmat:scale=22,edges=5400000,n=2394385,a=0.54,b=0.29,c=0.11,d=0.06,seed=1"
RMAT_SKITTER = "rmat:n=1696415,edges=11100000,directed=0,seed=1"
UNIFORM_2M = "uniform:n=2000000,edges=128000000,directed=1,seed=1"
HEXAGONS = "grid2d:rows={0},cols={0},neighbors=3"

BFS4K = [
    Surrogate("amazon0505", "uniform:n=410236,edges=3360000,directed=1,seed=1", SIMPLE),
    Surrogate("web-Google", "rmat:n=916428,edges=5110000,a=0.45,b=0.15,c=0.15,seed=1", SIMPLE),
    Surrogate("com-youtube", "rmat:n=1134890,edges=2990000,directed=0,seed=1", UNDIRECTED),
    Surrogate("as-skitter", RMAT_SKITTER, UNDIRECTED),
    Surrogate("roadNet-CA", square(1400)),
    Surrogate("soc-LiveJournal1", "rmat:n=4847571,edges=69000000,a=0.5035,b=0.15,c=0.15,seed=1", SIMPLE),
    Surrogate("Gen-ForestFire", "forest-fire:n=1000000,f=0.33,b=0.32,seed=1", UNDIRECTED),
    Surrogate("Gen-SmallWorld", "small-world:n=2000000,k=20,p=0.3,seed=1", UNDIRECTED),
    Surrogate("europe.osm", square(2520), CHAIN),
    Surrogate("hugebubbles-00020", HEXAGONS.format(4600)),
    Surrogate("nlpkkt160", "grid3d:x=202,y=202,z=202,neighbors=26"),
    Surrogate("audikw1", "random-geometric:n=943695,degree=81,seed=1"),
    Surrogate("cage15", "small-world:n=5154859,k=18,p=0.03,seed=1", UNDIRECTED),
    Surrogate("kkt_power", "rmat:n=2063494,edges=6500000,a=0.45,b=0.15,c=0.15,directed=0,seed=1", UNDIRECTED),
    Surrogate("coPapersCiteseer", "rmat:n=434102,edges=16100000,a=0.47,b=0.15,c=0.15,directed=0,seed=1",
              UNDIRECTED),
    Surrogate("kron_g500-logn20", "kronecker:scale=20,edge_factor=48,seed=1", UNDIRECTED),
    Surrogate("random.2Mv.128Me", UNIFORM_2M, SIMPLE),
    Surrogate("rmat.2Mv.128Me", "rmat:n=2000000,edges=128000000,a=0.4958,b=0.15,c=0.15,seed=1", SIMPLE),
]  # fmt: skip

STUDY = [
    Surrogate("kron_g500-logn21", "kronecker:scale=21,edge_factor=43,seed=1", UNDIRECTED),
    Surrogate("msdoor", "random-geometric:n=415863,degree=47,seed=1"),
    Surrogate("roadNet-CA", square(1400)),
    Surrogate("soc-orkut", "rmat:n=3072441,edges=106000000,a=0.48,b=0.2,c=0.2,directed=0,seed=1", UNDIRECTED),
    Surrogate("web-uk-2005", "rmat:n=129632,edges=11700000,a=0.5,b=0.2,c=0.2,directed=0,seed=1", UNDIRECTED),
    Surrogate("as-caida", "rmat:n=26475,edges=53400,directed=0,seed=1", UNDIRECTED),
    Surrogate("com-Youtube", "rmat:n=1134890,edges=2990000,directed=0,seed=1", UNDIRECTED),
    Surrogate("p2p-Gnutella08", "uniform:n=6301,edges=20777,directed=1,seed=1", SIMPLE),
    Surrogate("wiki-Talk", RMAT_FAN_OUT, SIMPLE),
    Surrogate("wiki-talk-temporal", "rmat:n=1140149,edges=3309592,seed=1", SIMPLE),
]  # fmt: skip

HBF = [
    Surrogate("asia.osm", "grid2d:rows=5000,cols=300,keep=0.7,seed=1", CHAIN),
    Surrogate("USA-road-d.CAL", square(1400)),
    Surrogate("delaunay_n20", "grid6:rows=1024,cols=1024"),
    Surrogate("msdoor", "random-geometric:n=415863,degree=48.7,seed=1", LOOPS),
    Surrogate("circuit5M_dc", "small-world:n=3500000,k=4,p=0.01,seed=1", UNDIRECTED + LOOPS),
    Surrogate("rmat.3Mv.20Me", "rmat:n=3000000,edges=20000000,a=0.467,b=0.15,c=0.15,seed=1", SIMPLE),
    Surrogate("flickr", "rmat:n=820878,edges=9837214,a=0.547,b=0.19,c=0.19,seed=1", SIMPLE),
]
HBF_NEGATIVE = [
    Surrogate("hugetrace-00000", HEXAGONS.format(2140)),
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
XBFS_LARGE = ("EW", "FR", "TR", "WK", "WL")  # answers of their steps are not verified: minutes


def by_name(surrogates, original):
    return next(surrogate for surrogate in surrogates if surrogate.original == original)


def key_of(surrogate):
    """The same for the same graph, whatever its weights."""
    return hashlib.sha256(" ".join((surrogate.description, *surrogate.shape)).encode()).hexdigest()[:16]
