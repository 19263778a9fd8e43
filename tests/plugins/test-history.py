# SPDX-License-Identifier: GPL-3.0-or-later

"""How a layer was made: the steps that are kept with it, in order, also in an XCF file, in copies
of a layer, in new images and with paths; what is done with texts that are none.
"""

import json
import os
import tempfile

from gimptest import *
from scripts import *

PARASITE = 'wavefront-history'
XCF = f'{WORK}/kept.xcf'


def steps(image, item):
    """The steps, without the name of what the item was when it was made."""
    return [{key: value for key, value in step.items() if key != 'made'}
            for step in json.loads(history(image, item)['history'])]


def picture():
    image, layer = gray_image(random_rows(24, 18, 255, 'history', steps=6))
    layer.set_name('cells')
    return image, layer


def two_steps(image, layer):
    opened = must(call(FILTER % 'area-opening', image, [layer], area=7))['layer']
    return must(call(WATERSHED, image, [opened], tolerance=0.125, lines_path=True,
                     label_image=True))


def in_order():
    image, layer = picture()
    result = two_steps(image, layer)
    made = steps(image, result['basins-layer'])
    tap.same([(step['procedure'], step['operation'], step['arguments'], step['sources'])
              for step in made],
             [(FILTER % 'area-opening', 'area-opening', {'area': 7.0}, [{'layer': 'cells'}]),
              (WATERSHED, 'watershed',
               {'tolerance': 0.125, 'lines-path': True, 'label-image': True},
               [{'layer': 'Area opening of cells'}])], 'the steps are in order, with their values')
    tap.ok(all(step['version'] and step['image'] == image.get_name() and step['command']
               for step in made), 'with version, image and command', made)
    arguments = {spec.name for spec in
                 Gimp.get_pdb().lookup_procedure(WATERSHED).get_arguments()[3:]}
    tap.same({*made[1]['arguments'], *made[1]['defaults']}, arguments,
             'every argument is recorded')
    others = (result['lines-layer'], result['label-image'].get_layers()[0], result['lines-path'])
    tap.ok(all(steps(image, item) == made for item in others),
           'lines, number image and path have the same')
    tap.same(history(image, layer).values, {'steps': 0, 'history': '[]', 'python-fu': '',
                                            'script-fu': '', 'command': '', 'filters': '[]'},
             'a layer that no filter made has none')
    result['label-image'].delete()
    image.delete()


def again():
    """The script of two steps makes both again."""
    for kind in KINDS[:2]:
        image, layer = picture()
        result = two_steps(image, layer)
        text = history(image, result['basins-layer'])[kind]
        made = [(name, stored(item)) for name, item in zip(layer_names(image), image.get_layers())]
        result['label-image'].delete()
        for item in image.get_layers()[:-1]:
            image.remove_layer(item)
        run_script(kind, text)
        tap.ok([(name, stored(item)) for name, item in
                zip(layer_names(image), image.get_layers())] == made,
               f'the script makes both layers again: {kind}', text)
        for other in Gimp.get_images():
            other.delete()


def beside():
    """Each step goes on with what the one before made, also beside what was made before."""
    for kind in KINDS[:2]:
        image, layer = picture()
        result = two_steps(image, layer)
        text = history(image, result['basins-layer'])[kind]
        made = [(name, stored(item)) for name, item in zip(layer_names(image), image.get_layers())]
        for item in image.get_layers()[:-1]:
            item.fill(Gimp.FillType.WHITE)
        new = made_by(image, lambda: run_script(kind, text))[1]
        tap.same([stored(item) for item in new[::-1]], [pixels for _, pixels in made[:-1]],
                 f'the source is what the script made: {kind}')
        for other in Gimp.get_images():
            other.delete()


def commands():
    """The commands read what those before them wrote, where that is the layer."""
    image, layer = picture()
    opened = must(call(FILTER % 'area-opening', image, [layer], area=7))['layer']
    eroded = must(call(FILTER % 'erosion', image, [opened]))['layer']
    marks = must(call(FILTER % 'threshold', image, [eroded], threshold=0.5))['layer']
    further = must(call(FILTER % 'median', image, [marks]))['layer']
    lines = history(image, further)['command'].splitlines()
    words = [line.split()[:5] for line in lines if not line.startswith('#')]
    tap.same(words, [['wavefront', 'area-opening', 'in.png', '-o', 'step1.tif'],
                     ['wavefront', 'erosion', 'step1.tif', '-o', 'step2.tif'],
                     ['wavefront', 'threshold', 'step2.tif', '-o', 'out.tif'],
                     ['wavefront', 'median', 'in.png', '-o', 'out.tif']], 'the files are connected')
    tap.same([line.split('“')[1].split('”')[0] for line in lines if line.startswith('# in.png')],
             ['cells', marks.get_name()], 'the others have to be made')
    if COMMAND:
        with tempfile.TemporaryDirectory() as folder:
            export(layer, f'{folder}/in.png')
            got = run_command(history(image, eroded)['command'], folder, 'B', 24, 18)
        tap.same(got, levels(eroded), 'the command makes the last layer')
    copy = opened.copy()
    image.insert_layer(copy, None, 0)
    text = history(image, must(call(FILTER % 'erosion', image, [copy]))['layer'])['command']
    tap.ok('step1.tif' not in text, 'a copy may have been changed', text)
    image.delete()


def kept():
    """XCF files and copies keep the steps; undo removes them with the layer."""
    image, layer = picture()
    basins = two_steps(image, layer)['basins-layer']
    made = steps(image, basins)
    copy = basins.copy()
    image.insert_layer(copy, None, 0)
    tap.same(steps(image, copy), made, 'a copy of the layer has the steps')
    file = Gio.File.new_for_path(XCF)
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, file, None)
    loaded = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, file)
    tap.same(steps(loaded, loaded.get_layer_by_name(basins.get_name())), made,
             'the steps are in an XCF file')
    tap.same(steps(loaded, loaded.get_paths()[0]), made, 'those of a path, too')
    further = must(call(FILTER % 'erosion', loaded,
                        [loaded.get_layer_by_name(basins.get_name())]))['layer']
    tap.same([step['operation'] for step in steps(loaded, further)],
             ['area-opening', 'watershed', 'erosion'], 'and go on there')
    for other in Gimp.get_images():
        other.delete()


def stacks():
    image, layer = picture()
    for name in ('b', 'c'):
        copy = layer.copy()
        copy.set_name(name)
        image.insert_layer(copy, None, 0)
    group = must(call(FILTER % 'median', image, image.get_layers(), stack=True))['layer']
    made = steps(image, group)
    tap.same((len(made), made[0]['sources'], made[0]['arguments']),
             (1, [{'layer': name} for name in ('c', 'b', 'cells')], {'stack': True}),
             'a stack has one call for all slices')
    tap.ok(all(steps(image, slice) == made for slice in group.get_children()),
           'which each slice has')
    two = must(call(FILTER % 'median', image, image.get_layers()[1:3]))['layers']
    tap.same([steps(image, item)[0]['sources'] for item in two],
             [[{'layer': 'c'}], [{'layer': 'b'}]], 'of several layers each has its own call')
    image.delete()


def channels():
    """A mask, a channel and the selection are named as what they are."""
    image, layer = picture()
    channel = Gimp.Channel.new(image, 'chan\'nel', 24, 18, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    layer.add_mask(layer.create_mask(Gimp.AddMaskType.WHITE))
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 3, 3, 9, 9)
    for drawable, marker, source in ((channel, layer, {'channel': 'chan\'nel'}),
                                     (layer.get_mask(), channel, {'mask': 'cells'})):
        made, new, _ = made_by(image, lambda: must(call(RECONSTRUCT, image, [drawable],
                                                        marker=marker)))
        texts = history(image, new[0])
        tap.same(json.loads(texts['history'])[0]['sources'], [source], f'the source is {source}')
        for kind in KINDS[:2]:
            tap.same(made_by(image, lambda: run_script(kind, texts[kind]))[0], made,
                     f'{kind} works on the {list(source)[0]}')
    image.delete()


def several_images():
    """If other images have the same name, a script works on the right one."""
    image, layer = picture()
    others = [gray_image([[1, 2], [3, 4]])[0] for _ in range(2)]
    made, new, _ = made_by(image, lambda: must(call(FILTER % 'erosion', image, [layer])))
    for kind in KINDS[:2]:
        text = history(image, new[0])[kind]
        tap.same(made_by(image, lambda: run_script(kind, text))[0], made,
                 f'with three images of one name: {kind}')
    file = Gio.File.new_for_path(f'{WORK}/renamed.xcf')
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, file, None)
    image.set_file(file)
    for kind in KINDS[:2]:
        text = history(image, new[0])[kind]
        tap.same(('renamed.xcf' in text, made_by(image, lambda: run_script(kind, text))[0]),
                 (True, made), f'if the image has another name by now: {kind}')
    for other in others:
        other.delete()
    image.delete()


def step(**members):
    """A text with one step."""
    return json.dumps([{'procedure': 'plug-in-wavefront-x', 'operation': 'a', 'version': '1',
                        'image': 'i', 'sources': [], 'arguments': {}, 'defaults': {},
                        'command': '', **members}])


HOSTILE = {
    'no JSON': '[{',
    'no list': '{}',
    'a number': '[7]',
    'nothing in it': '[{}]',
    'no name': step(procedure="x'); import os"),
    'an empty name': step(procedure=''),
    'a procedure of others': step(procedure='file-png-export'),
    'a function of Scheme': step(procedure='exit'),
    'our prefix alone': step(procedure='plug-in-wavefront-'),
    'an argument that is no name': step(arguments={'a) (quit': 1}),
    'an argument without a name': step(arguments={'': 1}),
    'a list as a value': step(arguments={'a': [1]}),
    'an empty color': step(arguments={'a': {'color': ''}}),
    'a color that is none': step(arguments={'a': {'color': '#12345g'}}),
    'a color as a source': step(sources=[{'color': '#123456'}]),
    'a file as a source': step(sources=[{'file': 'a'}]),
    'a text as a source': step(sources=['a']),
    'a path as a source': step(sources=[{'path': 'a'}]),
    'not UTF-8': '[{"procedure": "\udcff"}]',
}
# lines of a file's history, and what is made of them
LINES = {
    'wavefront erosion in.png -o /home/me/.bashrc': 'wavefront erosion in.png -o out.tif',
    'wavefront erosion in.png -o step1.tif --radius 2': None,
    'wavefront erosion in.png -o out.tif --table /t/x.csv':
        'wavefront erosion in.png -o out.tif --table table.csv',
    'wavefront distance in.png -o out.tif --nearest .profile':
        'wavefront distance in.png -o out.tif --nearest nearest.tif',
    'wavefront erosion in.png --table -o --sigma -1.5e-3':
        'wavefront erosion in.png --table table.csv --sigma -1.5e-3',
    **{line: f'# {line}' for line in (
        'wavefront erosion in.png --output .bashrc', 'wavefront erosion in.png --output=.bashrc',
        'wavefront erosion in.png -o.bashrc', 'wavefront erosion in.png -o',
        'wavefront erosion in.png --table=.bashrc -o out.tif', 'wavefront a --trace .bashrc',
        'wavefront a -- -x', 'wavefront run in.png', 'wavefront -o x', 'wavefront')},
}


def attach(layer, text):
    layer.attach_parasite(Gimp.Parasite.new(PARASITE, Gimp.PARASITE_PERSISTENT,
                                            [b - 256 if b > 127 else b for b in
                                             text.encode('utf-8', 'surrogateescape')]))


def hostile():
    """What is no history is refused; quoted texts remain texts."""
    image, layer = picture()
    for what, text in HOSTILE.items():
        attach(layer, text)
        result = call(HISTORY, image, [layer])
        tap.ok(result.status == 'execution-error' and 'cells' in result.message,
               f'refused: {what}', result)
        made = call(FILTER % 'erosion', image, [layer])
        tap.ok(made and len(steps(image, made['layer'])) == 1,
               f'and a filter works all the same: {what}', made)
    name = 'x\'"\\\n`$(touch bad)`'
    attach(layer, step(operation='a\nb', version='1\n2', image=name, sources=[{'layer': name}],
                       arguments={'a': name, 'b': {'path': '"), evil('}},
                       command=f'# {name}\ntouch bad\nwavefront a; touch bad\n'
                               'wavefront a $(touch bad)\n`touch bad`\n'))
    texts = history(image, layer)
    for line in texts['command'].splitlines():
        tap.ok(line.startswith('# ') or line == "wavefront a '$(touch' 'bad)'",
               'only comments and quoted words', line)
    words = compile(texts['python-fu'], 'text', 'exec')
    tap.ok(name in words.co_consts, 'the name is a literal of Python', texts['python-fu'])
    tap.ok('\n' not in texts['script-fu'].split('get-name')[1].split('"')[1],
           'and of Script-Fu', texts['script-fu'])
    for line, wanted in LINES.items():
        attach(layer, step(command=f'{line}\n'))
        tap.same(history(image, layer)['command'], f'{wanted or line}\n', f'checked: {line}')
    image.delete()


def refusals():
    image, layer = picture()
    copy = layer.copy()
    image.insert_layer(copy, None, 0)
    result = call(HISTORY, image, [layer, copy])
    tap.ok(result.status == 'calling-error' and 'one layer' in result.message,
           'two layers are one too many', result)
    result = call(HISTORY, image, [])
    tap.ok(result.status == 'calling-error' and 'one layer' in result.message,
           'none is too few', result)
    image.delete()


for group in (in_order, again, beside, commands, kept, stacks, channels, several_images, hostile, refusals):
    tap.group(group)
tap.done()
